// Clients of the panel: each sends commands to any process that answers, repeats a command that got no certain answer,
// and keeps a ledger of what it was told.
import { OutcomeUnknown } from "../../src/db/errors.ts";
import { ExpectationFailed, StoreUnavailable, UniqueConflict } from "../../src/db/index.ts";
import { ActorQuarantined } from "../../src/runtime/index.ts";
import { ActorMissing } from "../../src/runtime/testing.ts";
import { Chance } from "./chance.ts";
import { askOnce, carryOut, type Answer, type Op } from "./commands.ts";
import type { Panel } from "./panel.ts";
import type { Schedule } from "./schedule.ts";

/** What a client knows of a command. `unknown`: it may be done or not. */
export interface Command {
  readonly id: string;
  readonly op: Op;
  /** Sent without a mark, see `askOnce`. */
  readonly once: boolean;
  /** Commands of one run were sent to one process one after the other, without waiting for answers. */
  readonly run: string | undefined;
  outcome: "open" | "answered" | "refused" | "unknown";
  answer: Answer | undefined;
  error: string;
  /** A try of it ended without a certain answer. */
  doubtful: boolean;
}

export interface ClientsOptions {
  readonly schedule: Schedule;
  readonly seed: number;
  readonly clients: number;
  /** Jobs that are created in about. */
  readonly jobs: number;
  /** Commands of each. */
  readonly commands: number;
  readonly panels: () => readonly Panel[];
  /** Virtual milliseconds in which the commands are sent. */
  readonly horizon: number;
}

const PATIENCE_MS = 10_000;
const TRIES = 40;
const EVENTS = [
  "go",
  "go",
  "go",
  "wait",
  "wait",
  "link",
  "link",
  "stop",
  "again",
  "note",
  "note",
  "trap",
  "boom",
] as const;

type Reply = { readonly answer: Answer } | { readonly error: unknown } | { readonly nothing: true };

export class Clients {
  readonly ledger: Command[] = [];
  /** What went wrong in a way that it must not. */
  readonly broken: string[] = [];
  readonly #options: ClientsOptions;
  readonly #chance: Chance;
  readonly #jobs: number[] = [];
  #working = 0;

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.#chance = new Chance(options.seed, "clients");
    for (let client = 0; client < options.clients; client++) {
      this.#working++;
      void this.#work(client).catch((error: unknown) => this.broken.push(`client ${client} failed: ${String(error)}`));
    }
  }

  get done(): boolean {
    return this.#working === 0;
  }

  async #work(client: number): Promise<void> {
    const { commands, horizon } = this.#options;
    for (let n = 0; n < commands;) {
      await this.#pause(this.#chance.between(0, (2 * horizon) / commands));
      const panel = await this.#panel();
      const job = this.#jobs.length === 0 ? undefined : this.#chance.pick(this.#jobs);
      if (job !== undefined && this.#chance.happens(0.15)) {
        n += await this.#run(panel, client, n, job);
        continue;
      }
      const op = this.#op(`${client}.${n}`);
      const command = this.#noted(`c${client}.${n++}`, op, op.type === "ask" && this.#chance.happens(0.2), undefined);
      if (command.once) await this.#once(panel, command);
      else await this.#insist(panel, command);
    }
    this.#working--;
  }

  /** Several commands to one job at once, which must be carried out in their order. */
  async #run(panel: Panel, client: number, from: number, job: number): Promise<number> {
    const length = this.#chance.whole(2, 5);
    const commands = Array.from({ length }, (_, index) =>
      this.#noted(`c${client}.${from + index}`, { type: "ask", job, event: "note" }, true, `c${client}.${from}`),
    );
    await Promise.all(commands.map((command) => this.#once(panel, command)));
    return length;
  }

  async #once(panel: Panel, command: Command): Promise<void> {
    const { op } = command;
    if (op.type !== "ask") throw new Error("only events are sent without a mark");
    this.#settle(command, await this.#send(panel, () => askOnce(panel, command.id, op.job, op.event)));
    if (command.outcome === "open") command.outcome = "unknown";
  }

  /** Until there is a certain answer. */
  async #insist(first: Panel, command: Command): Promise<void> {
    let panel = first;
    for (let left = TRIES; left > 0; left--) {
      const at = panel;
      this.#settle(command, await this.#send(at, () => carryOut(at, command.id, command.op)));
      if (command.outcome === "answered") await this.#lookElsewhere(at, command);
      if (command.outcome !== "open") return;
      await this.#pause(this.#chance.between(50, 1500));
      panel = await this.#panel();
    }
    command.outcome = "unknown";
  }

  /**
   * What was answered is in the memory of the process that answered, and in that of any other before it answers the
   * next request.
   */
  async #lookElsewhere(at: Panel, { id, answer, doubtful, error }: Command): Promise<void> {
    const [[job, seq] = []] = Object.entries(answer?.seq ?? {});
    if (job === undefined || seq === undefined) return;
    // What it did not change itself, or in an earlier try elsewhere, may be news to this process as well.
    const own = answer?.handled === true && !doubtful && error === "";
    if (own && at.alive && at.isBehind(Number(job), seq)) {
      this.broken.push(`${at.name} answered ${id} and does not know step ${seq} of job ${job}`);
    }
    if (!this.#chance.happens(0.3)) return;
    const panel = await this.#panel();
    const reply = await this.#send(panel, () => panel.caughtUp().then(() => ({ handled: true, seq: {} })));
    if ("answer" in reply && panel.isBehind(Number(job), seq))
      this.broken.push(`${panel.name} does not know step ${seq} of job ${job}, which was answered (${id})`);
  }

  #settle(command: Command, reply: Reply): void {
    if ("answer" in reply) {
      command.outcome = "answered";
      command.answer = reply.answer;
      const [job] = Object.keys(reply.answer.seq);
      if (command.op.type === "create" && job !== undefined) this.#jobs.push(Number(job));
      if (command.op.type === "remove")
        this.#jobs.splice(0, this.#jobs.length, ...this.#jobs.filter((each) => String(each) !== job));
      return;
    }
    if ("nothing" in reply) {
      command.doubtful = true;
      return;
    }
    const { error } = reply;
    command.error = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (error instanceof StoreUnavailable) {
      // Refused for now: nothing of it is on disk, unless it says otherwise.
      if (error instanceof OutcomeUnknown) command.doubtful = true;
    } else if (error instanceof UniqueConflict && error.table === "marks") {
      // It was done meanwhile, by an earlier try: the next one finds the mark.
    } else if (error instanceof ExpectationFailed && error.label === "meter mark") {
      command.outcome = "answered";
      command.answer = { handled: true, seq: {} };
    } else {
      command.outcome = "refused";
      if (!isRefusal(command.op, error))
        this.broken.push(`${command.id} (${JSON.stringify(command.op)}) failed: ${command.error}`);
    }
  }

  /** One try: an answer, an error, or nothing (the process ended, or was silent for too long). */
  #send(panel: Panel, work: () => Promise<Answer>): Promise<Reply> {
    return new Promise((resolve) => {
      const settle = (reply: Reply) => {
        stopListening();
        cancel();
        resolve(reply);
      };
      const stopListening = panel.onDeath(() => settle({ nothing: true }));
      const cancel = this.#options.schedule.after(PATIENCE_MS, "a client gives up", () => settle({ nothing: true }));
      work().then(
        (answer) => settle({ answer }),
        (error: unknown) => settle({ error }),
      );
    });
  }

  #op(name: string): Op {
    const jobs = this.#jobs;
    if (jobs.length < 2 || (jobs.length < this.#options.jobs && this.#chance.happens(0.2))) {
      const deadlineIn = this.#chance.happens(0.3) ? this.#chance.whole(0, 8000) : null;
      // Now and then a name that is taken.
      const taken = this.#chance.happens(0.1) ? "taken" : name;
      return { type: "create", name: taken, patience: this.#chance.whole(0, 6000), deadlineIn };
    }
    const job = this.#chance.pick(jobs);
    const kind = this.#chance.next();
    if (kind < 0.05) return { type: "remove", job };
    if (kind < 0.17) {
      const to = this.#chance.pick(jobs);
      if (to !== job) return { type: "transfer", from: job, to, amount: this.#chance.whole(1, 9) };
    }
    if (kind < 0.24) return { type: "deadline", job, inMs: this.#chance.whole(0, 6000) };
    if (kind < 0.36) return { type: "meter", job, amount: this.#chance.whole(1, 25) };
    if (kind < 0.4) return { type: "resume", job };
    return { type: "ask", job, event: this.#chance.pick(EVENTS) };
  }

  #noted(id: string, op: Op, once: boolean, run: string | undefined): Command {
    const command: Command = { id, op, once, run, outcome: "open", answer: undefined, error: "", doubtful: false };
    this.ledger.push(command);
    return command;
  }

  async #panel(): Promise<Panel> {
    for (;;) {
      const ready = this.#options.panels().filter((panel) => panel.ready);
      if (ready.length > 0) return this.#chance.pick(ready);
      await this.#pause(250);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.schedule.after(ms, "a client goes on", resolve));
  }
}

/** An error that says something of what was asked, and nothing of the store. */
function isRefusal(op: Op, error: unknown): boolean {
  if (error instanceof ActorMissing || error instanceof ActorQuarantined) return true;
  if (error instanceof RangeError) return op.type === "ask" && op.event === "boom";
  if (error instanceof UniqueConflict) return op.type === "create" && error.table === "jobs" && op.name === "taken";
  return error instanceof ExpectationFailed && error.label === "meter";
}
