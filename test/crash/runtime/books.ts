// The books of a runtime: what must hold in its database after every kill, whatever the moment.
import { onDisk, onLive } from "../books/disk.ts";
import type { Answer } from "./wire.ts";

/** Each query finds what must not be: its rows are the faults. */
const FAULTS: Readonly<Record<string, string>> = {
  "the journal has a gap": `
    select actor_id from journal group by actor_id having count(*) <> max(seq) or min(seq) <> 1`,
  "an entry does not begin where the one before ended": `
    select actor_id, seq from (select actor_id, seq, from_state, lag(to_state) over (partition by actor_id order by seq) as before from journal) t
    where coalesce(from_state, '-') <> coalesce(before, '-')`,
  "a row is not the end of its journal": `
    select j.id from jobs j left join journal e on e.kind = 'job' and e.actor_id = j.id and e.seq = j.rev
    where e.id is null or e.to_state <> j.mstate or j.rev <> (select max(seq) from journal m where m.kind = 'job' and m.actor_id = j.id)`,
  "a journal without its row": `
    select distinct actor_id from journal where actor_id not in (select id from jobs)`,
  "columns and journal differ": `
    select j.id from jobs j where j.count <> (select count(*) from journal e where e.kind = 'job' and e.actor_id = j.id
      and e.event in ('count', 'xstate.after.patience.job.waiting', 'xstate.done.actor.work'))`,
  "events and transitions differ": `
    select j.id from jobs j left join (select subject, count(*) as n from events group by subject) v on v.subject = 'job:' || j.id
    where coalesce(v.n, 0) <> (select count(*) from journal e where e.kind = 'job' and e.actor_id = j.id
      and (e.event = 'xstate.after.patience.job.waiting' or (e.event = 'count' and e.from_state = 'idle')))`,
  "an event without its delivery, or the reverse": `
    select v.id from events v left join heard h on h.event_id = v.id where h.id is null
    union all select h.id from heard h left join events v on h.event_id = v.id where v.id is null`,
  "a state without its timer, or the reverse": `
    select j.id from jobs j left join timers t on t.actor_id = j.id where (j.mstate = 'waiting') <> (t.id is not null)`,
  "a state without its effect, or the reverse": `
    select j.id from jobs j left join effects f on f.actor_id = j.id where (j.mstate = 'busy') <> (f.id is not null)`,
  "an effect of another visit than the present": `
    select f.id from effects f where f.run not like 'job:' || f.actor_id || ':' ||
      (select max(seq) from journal e where e.kind = 'job' and e.actor_id = f.actor_id and e.event in ('go', 'again')) || ':%'`,
  "a command carried out twice": `
    select actor from journal where via = 'cli' group by actor having count(*) > 1`,
};

export interface Books {
  /** Left over by the kill. */
  readonly pendingTimers: number;
  readonly runningEffects: number;
  readonly entries: number;
}

/**
 * Throws, naming the fault and the first rows of it, unless the database keeps every promise; `answers`: all that were
 * ever given.
 */
export function checkBooks(url: string, answers: readonly Answer[]): Promise<Books> {
  return onDisk(url, async (query) => {
    for (const [fault, text] of Object.entries(FAULTS)) {
      const rows = await query(text);
      if (rows.length > 0) throw new Error(`${fault}: ${JSON.stringify(rows.slice(0, 5))}`);
    }
    const entries = await query<{ actor: string; id: string | number; seq: string | number; state: string }>(
      "select actor, actor_id as id, seq, to_state as state from journal where via = 'cli'",
    );
    const byCommand = new Map(entries.map((entry) => [entry.actor, entry]));
    for (const { n, id, seq, state, handled } of answers) {
      const entry = byCommand.get(`c${n}`);
      const whole =
        entry !== undefined && Number(entry.id) === id && Number(entry.seq) === seq && entry.state === state;
      if (handled !== whole)
        throw new Error(
          `command ${n} was answered with ${state} at ${id}:${seq}, the journal has ${JSON.stringify(entry)}`,
        );
    }
    const [timers] = await query<{ n: string | number }>("select count(*) as n from timers");
    const [effects] = await query<{ n: string | number }>("select count(*) as n from effects where state = 'running'");
    return { pendingTimers: Number(timers?.n), runningEffects: Number(effects?.n), entries: entries.length };
  });
}

/**
 * Once everything has come to rest: every finished visit's effect was carried out, each attempt of a run at most once.
 */
export async function checkEffects(url: string, lines: readonly string[]): Promise<{ repeated: number }> {
  const attempts = new Set<string>();
  const runs = new Map<string, number>();
  for (const line of lines) {
    if (attempts.has(line)) throw new Error(`an attempt was made twice: ${line}`);
    attempts.add(line);
    const [run = ""] = line.split(" ");
    runs.set(run, (runs.get(run) ?? 0) + 1);
  }
  return onLive(url, async (query) => {
    const visits = await query<{ id: string | number; seq: string | number }>(
      `select actor_id as id, (select max(b.seq) from journal b where b.kind = 'job' and b.actor_id = d.actor_id and b.seq < d.seq and b.event in ('go', 'again')) as seq
       from journal d where d.event = 'xstate.done.actor.work'`,
    );
    const settled = new Set<string>();
    for (const { id, seq } of visits) {
      const run = [...runs.keys()].find((each) => each.startsWith(`job:${id}:${seq}:`));
      if (run === undefined) throw new Error(`job ${id} has a result of visit ${seq} that nothing carried out`);
      if (settled.has(run)) throw new Error(`${run} settled twice`);
      settled.add(run);
    }
    const rest = await query<{ mstate: string; n: string | number }>(
      "select mstate, count(*) as n from jobs where mstate in ('busy', 'waiting') group by mstate",
    );
    if (rest.length > 0) throw new Error(`not at rest: ${JSON.stringify(rest)}`);
    return { repeated: [...runs.values()].filter((times) => times > 1).length };
  });
}
