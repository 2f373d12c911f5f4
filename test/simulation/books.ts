// Keeps the books of a simulation that has come to rest: what is on disk, what was answered, what was done outside and
// what listeners heard must tell one story.
import type { JournalRow } from "../../src/runtime/index.ts";
import type { Clients, Command } from "./clients.ts";
import type { Answer } from "./commands.ts";
import type { SimulatedDatabase } from "./database.ts";
import { isQuarantined, readDisk, readPending, type OnDisk, type Pending } from "./disk.ts";
import { checkLifecycles, type Lifecycle } from "./lifecycle.ts";
import type { Outside } from "./outside.ts";
import type { Panel } from "./panel.ts";

export interface Books {
  readonly database: SimulatedDatabase;
  readonly clients: Clients;
  readonly outside: Outside;
  /** All processes that ever were. */
  readonly panels: readonly Panel[];
  readonly say: (sentence: string) => void;
}

/** Says a sentence for each promise that was not kept. */
export function checkBooks(books: Books): void {
  const disk = readDisk(books.database);
  const lifecycles = checkLifecycles(disk, books.say);
  checkRows(books, disk, lifecycles);
  checkCommands(books, disk);
  checkOutside(books, lifecycles);
  checkEvents(books, disk, lifecycles);
  for (const panel of books.panels) checkListeners(books, panel);
  for (const panel of books.panels) if (panel.alive) checkView(books.say, disk, panel);
  for (const { oldNews } of books.panels) for (const sentence of oldNews) books.say(sentence);
  for (const sentence of [...books.clients.broken, ...books.outside.broken]) books.say(sentence);
}

/** Rows are what the journal says, and their counters what the commands that hold add up to. */
function checkRows({ database, clients, say }: Books, disk: OnDisk, lifecycles: ReadonlyMap<number, Lifecycle>): void {
  const done = new Set(database.read<{ id: string }>({ text: "select id from marks", values: [] }).map(({ id }) => id));
  const meters = new Map(
    database
      .read<{ id: number; used: number }>({ text: "select id, used from meters", values: [] })
      .map(({ id, used }) => [id, used]),
  );
  const balances = new Map<number, number>();
  const used = new Map<number, number>();
  const add = (to: Map<number, number>, job: number, amount: number) => to.set(job, (to.get(job) ?? 0) + amount);
  for (const { id, op } of clients.ledger) {
    if (!done.has(id)) continue;
    if (op.type === "transfer") {
      add(balances, op.from, -op.amount);
      add(balances, op.to, op.amount);
    } else if (op.type === "meter") add(used, op.job, op.amount);
  }
  for (const job of disk.jobs.values()) {
    const notes = lifecycles.get(job.id)?.notes ?? 0;
    if (job.count !== notes) say(`job ${job.id} counts ${job.count} notes, its journal ${notes}`);
    if (job.balance !== (balances.get(job.id) ?? 0))
      say(`job ${job.id} has a balance of ${job.balance}, transfers come to ${balances.get(job.id) ?? 0}`);
    if (meters.get(job.id) !== (used.get(job.id) ?? 0))
      say(`the meter of job ${job.id} says ${meters.get(job.id)}, commands come to ${used.get(job.id) ?? 0}`);
  }
  for (const id of meters.keys()) if (!disk.jobs.has(id)) say(`a meter is left of job ${id}`);
  checkStateCounts(database, say);
}

/** The counters of states add up to the rows, whichever process was killed in between. */
function checkStateCounts(database: SimulatedDatabase, say: Books["say"]): void {
  const differences = database.read<{ state: string; counted: number; there: number }>({
    text: `select state, sum(counted) as counted, sum(there) as there from (
        select state, total as counted, 0 as there from state_counts where kind = 'job' union all select mstate, 0, 1 from jobs)
      group by state having sum(counted) <> sum(there)`,
    values: [],
  });
  for (const { state, counted, there } of differences)
    say(`${counted} jobs are counted in the state ${state}, there are ${there}`);
}

/** What was answered is on disk, whole; what was refused left nothing; nothing was done twice. */
function checkCommands({ database, clients, say }: Books, disk: OnDisk): void {
  const marks = new Map(
    database
      .read<{ id: string; answer: string }>({ text: "select id, answer from marks", values: [] })
      .map(({ id, answer }) => [id, JSON.parse(answer) as Answer]),
  );
  const steps = new Map<string, JournalRow[]>();
  for (const journal of disk.journals.values()) {
    for (const entry of journal) steps.set(entry.actor, [...(steps.get(entry.actor) ?? []), entry]);
  }
  const runs = new Map<string, Command[]>();
  for (const command of clients.ledger) {
    const mark = marks.get(command.id);
    const done = steps.get(command.id) ?? [];
    checkCommand(command, mark, done, say);
    if (command.run !== undefined) runs.set(command.run, [...(runs.get(command.run) ?? []), command]);
  }
  for (const run of runs.values()) {
    const order = run.flatMap(({ id }) => (steps.get(id) ?? []).map(({ seq }) => seq));
    if (order.some((seq, index) => seq < (order[index - 1] ?? 0)))
      say(`commands ${run.map(({ id }) => id).join(", ")} were carried out as ${order.join(", ")}`);
  }
}

function checkCommand(
  command: Command,
  mark: Answer | undefined,
  done: readonly JournalRow[],
  say: (sentence: string) => void,
): void {
  const { id, op, once, outcome, answer, doubtful } = command;
  const about = `${id} (${JSON.stringify(op)}), ${outcome}`;
  const marked = !once && op.type !== "resume";
  if (outcome === "open") say(`${about}: was never answered`);
  if (outcome === "answered" && marked && !mark) say(`${about}: is not on disk`);
  if (answer && mark && Object.keys(answer.seq).length > 0 && JSON.stringify(answer) !== JSON.stringify(mark))
    say(`${about}: was answered otherwise than its mark says`);
  const certain = (outcome === "refused" || outcome === "unknown") && !doubtful;
  if (certain && (mark || done.length > 0)) say(`${about}: left something behind (${command.error})`);
  const jobs = new Set(done.map(({ actorId }) => actorId));
  if (jobs.size !== done.length) say(`${about}: was carried out twice`);
  if (marked && done.length > 0 && !mark) say(`${about}: is on disk by half, without its mark`);
  for (const [job, seq] of Object.entries(mark?.handled ? mark.seq : {})) {
    if (!done.some((entry) => entry.actorId === Number(job) && entry.seq === seq))
      say(`${about}: is on disk by half, without step ${seq} of job ${job}`);
  }
  if (once && outcome === "answered" && done.length !== Number(answer?.handled))
    say(`${about}: has ${done.length} steps`);
}

/** Outward acts: once per key and attempt, and only what a committed transition asked for. */
function checkOutside({ outside, say }: Books, lifecycles: ReadonlyMap<number, Lifecycle>): void {
  const seen = new Set<string>();
  for (const { key, attempt, actorId, process } of outside.attempts) {
    const act = `${key}#${attempt}`;
    if (seen.has(act)) say(`${act} was begun twice, the second time by ${process}`);
    seen.add(act);
    const asked = lifecycles.get(actorId)?.runs ?? new Set<string>();
    if (!asked.has(key.slice(0, key.lastIndexOf(":")))) say(`${act} was begun, and no transition asked for it`);
  }
}

/** Every event of a committed transition is in the outbox once, with one delivery. */
function checkEvents({ database, say }: Books, disk: OnDisk, lifecycles: ReadonlyMap<number, Lifecycle>): void {
  const found = new Map<string, number>();
  for (const { event, data } of disk.events) {
    const { id, seq } = JSON.parse(data) as { id: number; seq: number };
    const name = `${id}:${seq}:${event}`;
    found.set(name, (found.get(name) ?? 0) + 1);
    const lifecycle = lifecycles.get(id);
    if (!lifecycle?.events.has(name) && !(event === "job.capped" && lifecycle?.dues.has(seq)))
      say(`the event ${name} was raised by no transition`);
  }
  for (const [name, times] of found) if (times !== 1) say(`the event ${name} was raised ${times} times`);
  for (const { events } of lifecycles.values())
    for (const name of events) if (!found.has(name)) say(`the event ${name} is missing`);
  const deliveries = database.read<{ event_id: number }>({
    text: "select event_id from heard order by event_id",
    values: [],
  });
  const ids = disk.events.map(({ id }) => id).toSorted((a, b) => a - b);
  if (JSON.stringify(deliveries.map(({ event_id: id }) => id)) !== JSON.stringify(ids))
    say("the deliveries are not those of the events");
}

/** Listeners of a process heard of each commit that it knows of, once, and in the order of its job. */
function checkListeners({ say }: Books, { name, alive, committed, heard }: Panel): void {
  const known = new Set(committed);
  if (known.size !== committed.length) say(`${name} committed a step twice`);
  // A process that was killed may have learnt of a commit and not told of it yet.
  if (
    (alive ? heard.length !== committed.length : heard.length > committed.length) ||
    heard.some((step) => !known.has(step))
  )
    say(`listeners of ${name} heard of ${heard.length} steps, it committed ${committed.length}`);
  const last = new Map<string, number>();
  for (const step of heard) {
    const [job = "", seq = ""] = step.split(":");
    if (Number(seq) <= (last.get(job) ?? 0))
      say(`listeners of ${name} heard of step ${seq} of job ${job} after ${last.get(job)}`);
    last.set(job, Number(seq));
  }
}

/** What a process keeps in memory is what is on disk. */
function checkView(say: (sentence: string) => void, { jobs }: Pending, { name, view }: Panel): void {
  for (const [id, { rev }] of jobs)
    if (view.get(id) !== rev)
      say(`${name} believes job ${id} to be at revision ${String(view.get(id))}, it is at ${rev}`);
  for (const id of view.keys()) if (!jobs.has(id)) say(`${name} believes in job ${id}, which is gone`);
}

/**
 * What still has to happen before the simulation is at rest; undefined when it is. `now`: the database's clock, Unix
 * milliseconds.
 */
export function unrest({ database, clients, outside, panels }: Books, now: number): string | undefined {
  if (!clients.done) return "clients wait for answers";
  const living = panels.filter(({ alive }) => alive);
  const busy = living.find(({ ready, commits }) => !ready || commits.waiting > 0);
  if (busy) return `${busy.name} is ${busy.ready ? "committing" : "not ready"}`;
  const disk = readPending(database);
  const open = disk.effects.find(({ actorId }) => !isQuarantined(disk.jobs.get(actorId)));
  if (open) return `the effect ${open.id} is ${open.state}`;
  const due = disk.timers.find(({ actorId, dueAt }) => dueAt <= now && !isQuarantined(disk.jobs.get(actorId)));
  if (due) return `the timer ${due.id} is due since ${now - due.dueAt} ms`;
  const lines = new Map<number, number>();
  for (const { actorId } of outside.running()) lines.set(actorId, (lines.get(actorId) ?? 0) + 1);
  for (const { id, mstate } of disk.jobs.values()) {
    const wanted = mstate.startsWith("linked.") ? 1 : 0;
    if ((lines.get(id) ?? 0) !== wanted) return `job ${id} (${mstate}) has ${lines.get(id) ?? 0} lines`;
    if (mstate === "linked.dialing") return `the line of job ${id} is being dialled`;
    lines.delete(id);
  }
  const [left] = lines.keys();
  if (left !== undefined) return `job ${left} is gone and has a line`;
  let stale: string | undefined;
  for (const panel of living) checkView((sentence) => (stale ??= sentence), disk, panel);
  return stale;
}
