// The node chart as a pure function: every way that a node can stand, and every way from one to the next.
import { describe, expect, test } from "vitest";
import { nodeMachine, nodeStatusOf } from "../../machines/node.ts";
import type { NodeContext, NodeEvent } from "../../machines/node-context.ts";
import { Chart, type ChartStep } from "../../src/runtime/chart.ts";
import { idle } from "./idle-node.ts";

const chart = new Chart<NodeContext>(nodeMachine);
const opened: NodeEvent = {
  type: "link.opened",
  fingerprint: "pin",
  users: 1000,
  coreVersion: "1.0",
  nodeVersion: "0.1",
  arch: "amd64",
  setup: "linux",
  engine: "embedded",
};

/** Steps from a first state through events. */
function run(context: NodeContext, ...events: NodeEvent[]): ChartStep<NodeContext> {
  let step = chart.initial(context);
  for (const event of events) step = chart.step(step, event);
  return step;
}
const emitted = (step: ChartStep<NodeContext>) =>
  step.actions.flatMap((action) => (action.type === "emit" ? [action.event.type] : []));
const delays = (step: ChartStep<NodeContext>) =>
  step.actions.flatMap((action) => (action.type === "arm" ? [action.delay] : []));

describe("a node", () => {
  test("that is switched on is dialled, under a deadline", () => {
    const step = run(idle);
    expect(step.state).toBe("linked.connecting.dialing");
    expect(step.invokes).toEqual(["link"]);
    expect(delays(step)).toEqual([20_000]);
    expect(nodeStatusOf(step.state)).toBe("connecting");
  });

  // rule nodes.switch.1
  test("that is switched off, limited or unlicensed is disabled for that reason", () => {
    expect(run({ ...idle, enabled: false }).state).toBe("disabled.manual");
    expect(run({ ...idle, limited: true }).state).toBe("disabled.limit");
    expect(run({ ...idle, licensed: false }).state).toBe("disabled.licence");
  });

  // rule nodes.status.1
  test("connects by greeting and first sync; the sync's deadline grows with its users", () => {
    const greeted = run(idle, opened);
    expect(greeted.state).toBe("linked.connecting.syncing");
    expect(greeted.context).toMatchObject({ fingerprint: "pin", engine: "embedded", infoSeenAt: 1000 });
    expect(delays(greeted)).toEqual([62_000]);
    const synced = chart.step(greeted, { type: "link.synced", warnings: ["in-1: no REALITY here"] });
    expect(synced.state).toBe("linked.connected");
    expect(synced.context).toMatchObject({ message: "", attempt: 0, warnings: ["in-1: no REALITY here"] });
    expect(emitted(synced)).toEqual(["connected"]);
    expect(synced.invokes).toEqual(["link"]);
  });

  // rules nodes.status.2, nodes.status.3
  test("that is lost says so once, and waits longer after each failure, with full jitter, up to five minutes", () => {
    const connected = run(idle, opened, { type: "link.synced", warnings: [] });
    const lost = chart.step(connected, { type: "link.lost", message: "3 heartbeats were missed", jitter: 0.5 });
    expect(lost.state).toBe("error.waiting");
    expect(emitted(lost)).toEqual(["disconnected"]);
    expect(lost.context).toMatchObject({ message: "3 heartbeats were missed", attempt: 1, retryIn: 500 });
    expect(lost.invokes).toEqual([]);
    let step: ChartStep<NodeContext> = lost;
    const waits: number[] = [];
    for (let round = 0; round < 12; round++) {
      const again = chart.step(step, { type: "xstate.after.backoff.node.error.waiting" });
      expect(again.state).toBe("linked.connecting.dialing");
      step = chart.step(again, { type: "link.lost", message: "refused", jitter: 1 });
      expect(emitted(step)).toEqual([]);
      waits.push(...delays(step));
    }
    expect(waits).toEqual([
      2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000, 300_000, 300_000,
    ]);
  });

  // rule nodes.status.2
  test("that connects and is lost soon waits longer each time; one that served well begins anew", () => {
    let step = run(idle);
    const lose = (jitter: number, steady: boolean) => {
      for (const event of [opened, { type: "link.synced" as const, warnings: [] }]) step = chart.step(step, event);
      expect(step.state).toBe("linked.connected");
      step = chart.step(step, { type: "link.lost", message: "wrong", jitter, steady });
      const [wait = 0] = delays(step);
      step = chart.step(step, { type: "xstate.after.backoff.node.error.waiting" });
      return wait;
    };
    // Whatever is drawn, no pause is shorter than the one before.
    const waits = [1, 0, 1, 0, 1, 0, 1, 0, 1].map((jitter) => lose(jitter, false));
    expect(waits).toEqual([1000, 1000, 4000, 4000, 16_000, 16_000, 64_000, 64_000, 256_000]);
    expect([lose(1, true), lose(1, false)]).toEqual([1000, 2000]);
  });

  // rule nodes.status.4
  test("whose dial or sync takes too long is an error with that message", () => {
    const dial = chart.step(run(idle), { type: "xstate.after.dialDeadline.node.linked.connecting.dialing" });
    expect(dial).toMatchObject({ state: "error.waiting", context: { message: "the agent did not greet within 20 s" } });
    const sync = chart.step(run(idle, opened), { type: "xstate.after.syncDeadline.node.linked.connecting.syncing" });
    expect(sync.state).toBe("error.waiting");
  });

  // rule nodes.pin.2
  test("that presents another key waits for repin or move, with no further attempt", () => {
    const mismatched = run(idle, { type: "link.mismatched", message: "presented a, pinned b" });
    expect(mismatched).toMatchObject({
      state: "error.mismatched",
      context: { message: "presented a, pinned b" },
      invokes: [],
    });
    expect(delays(mismatched)).toEqual([]);
    expect(chart.step(mismatched, { type: "repinned" })).toMatchObject({
      state: "linked.connecting.dialing",
      context: { message: "", attempt: 0 },
    });
    expect(chart.step(mismatched, { type: "moved" }).state).toBe("linked.connecting.dialing");
  });

  // rule nodes.switch.2
  test("that reaches its usage limit is switched off with an event, and comes back with a new period or a higher limit", () => {
    const connected = run(idle, opened, { type: "link.synced", warnings: [] });
    const limited = chart.step({ ...connected, context: { ...connected.context, limited: true } }, { type: "due" });
    expect(limited).toMatchObject({ state: "disabled.limit", invokes: [] });
    expect(emitted(limited)).toEqual(["limitReached"]);
    expect(chart.step({ ...limited, context: { ...limited.context, limited: true } }, { type: "due" }).handled).toBe(
      false,
    );
    expect(
      chart.step({ ...limited, context: { ...limited.context, limited: true } }, { type: "switchOn" }).handled,
    ).toBe(false);
    expect(chart.step({ ...limited, context: { ...limited.context, limited: false } }, { type: "due" }).state).toBe(
      "linked.connecting.dialing",
    );
  });

  test("restarts its link on reconnect, and a link that resumes after a panel start changes nothing", () => {
    const connected = run(idle, opened, { type: "link.synced", warnings: [] });
    const restarted = chart.step(connected, { type: "reconnect" });
    expect(restarted.state).toBe("linked.connecting.dialing");
    expect(restarted.actions.filter((action) => action.type === "start")).toHaveLength(1);
    const resumed = chart.step(chart.step(connected, opened), { type: "link.synced", warnings: ["w"] });
    expect(resumed).toMatchObject({ state: "linked.connected", context: { warnings: ["w"] } });
    expect(emitted(resumed)).toEqual([]);
  });

  // rule nodes.status.6
  test("whose engine refuses is in error with the engine's words and keeps its link; it is asked again after growing pauses, under a deadline", () => {
    const refused = (message: string, jitter = 1) => ({ type: "link.refused" as const, message, jitter });
    let step = run(idle, opened, refused("port 443 is used by another program"));
    expect(step).toMatchObject({ state: "linked.refused.waiting", invokes: ["link"] });
    expect(nodeStatusOf(step.state)).toBe("error");
    expect(emitted(step)).toEqual([]);
    expect(step.context).toMatchObject({
      message: "port 443 is used by another program",
      failed: "refused",
      failures: 1,
      troubleSince: 1000,
    });
    const waits = [...delays(step)];
    for (let round = 2; round < 5; round++) {
      const trying = chart.step(step, { type: "xstate.after.backoff.node.linked.refused.waiting" });
      expect(trying).toMatchObject({ state: "linked.refused.trying", invokes: ["link"] });
      expect(delays(trying)).toEqual([62_000]);
      step = chart.step(
        { ...trying, context: { ...trying.context, now: 1000 + round } },
        refused("port 443 is used by another program"),
      );
      // An attempt that fails like the one before resets nothing that is counted.
      expect(step.context).toMatchObject({ failures: round, troubleSince: 1000 });
      waits.push(...delays(step));
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
    const synced = chart.step(step, { type: "link.synced", warnings: [] });
    expect(synced.state).toBe("linked.connected");
    expect(emitted(synced)).toEqual(["connected"]);
    expect(synced.context).toMatchObject({ message: "", failed: "", failures: 0, troubleSince: 0 });
    const again = chart.step(synced, refused("no"));
    expect(emitted(again)).toEqual(["disconnected"]);
    expect(chart.step(again, { type: "link.lost", message: "gone", jitter: 0 }).state).toBe("error.waiting");
    const silent = chart.step(again, { type: "xstate.after.backoff.node.linked.refused.waiting" });
    expect(chart.step(silent, { type: "xstate.after.syncDeadline.node.linked.refused.trying" }).state).toBe(
      "error.waiting",
    );
    // A panel that starts finds the state and dials.
    expect(chart.step(again, opened).state).toBe("linked.refused.trying");
  });

  // rule nodes.address.5
  test("whose agent serves another node waits for that one to let go, and looks again by itself", () => {
    const duplicate: NodeEvent = { type: "link.duplicate", message: "this agent serves node 1", holder: 1, jitter: 1 };
    const step = run(idle, duplicate);
    expect(step).toMatchObject({ state: "error.duplicate", invokes: ["turn"] });
    expect(step.context).toMatchObject({ failed: "duplicate", holder: 1, failures: 1, fingerprint: "" });
    const freed = chart.step(step, { type: "link.freed" });
    expect(freed).toMatchObject({
      state: "linked.connecting.dialing",
      context: { failures: 0, holder: 0, message: "" },
    });
    const looked = chart.step(step, { type: "xstate.after.backoff.node.error.duplicate" });
    expect(looked).toMatchObject({
      state: "linked.connecting.dialing",
      context: { failures: 1, troubleSince: 1000, failed: "duplicate" },
    });
    const serving = run(idle, opened, { type: "link.synced", warnings: [] }, duplicate);
    expect(emitted(serving)).toEqual(["disconnected"]);
  });

  // rule nodes.status.7
  test("counts since when it does not serve through all attempts and causes, and forgets it when it serves, is switched off or asked anew", () => {
    let step = run(idle, { type: "link.lost", message: "a", jitter: 0 });
    for (const now of [1010, 1020]) {
      const again = chart.step(step, { type: "xstate.after.backoff.node.error.waiting" });
      expect(again.context).toMatchObject({ troubleSince: 1000 });
      step = chart.step(
        { ...again, context: { ...again.context, now } },
        { type: "link.lost", message: "b", jitter: 0 },
      );
    }
    expect(step.context).toMatchObject({ troubleSince: 1000, failures: 3, failed: "unreachable" });
    for (const event of [{ type: "switchOff" }, { type: "reconnect" }, { type: "moved" }] as const) {
      expect(chart.step(step, event).context, event.type).toMatchObject({ troubleSince: 0, failures: 0, failed: "" });
    }
  });

  // rule nodes.status.8
  test("every state that waits has a deadline, and every state can be left", () => {
    const waiting = [
      "linked.connecting.dialing",
      "linked.connecting.syncing",
      "linked.refused.waiting",
      "linked.refused.trying",
      "error.waiting",
      "error.duplicate",
    ];
    expect(chart.timerNames.map((name) => name.replace(/^xstate\.after\.[^.]+\.node\./, ""))).toEqual(waiting);
    for (const state of chart.states()) {
      if (state === "deciding" || state === "restarting") continue;
      expect([state, chart.nextEvents(state, idle, 0).length > 0]).toEqual([state, true]);
      expect(chart.meaningOf(state)).not.toBe("");
    }
  });
});
