// What an actor's page shows: the present, a moment of the past, and since when there is trouble.
import { expect, test } from "vitest";
import { pastOf, presentOf } from "../../../src/web/inspect/actor/moment.ts";
import { troubleAt } from "../../../src/web/inspect/trouble.ts";
import type { ActorDetail } from "../../../src/web/inspect/wire.ts";
import { bySeq, entry } from "./entries.ts";

const WAITING = "error.waiting";
const DIALING = "linked.connecting.dialing";
const journal = bySeq(
  entry(1, { from: null, to: DIALING, event: "created" }),
  entry(2, { from: DIALING, to: "linked.connected", event: "link.synced" }),
  entry(3, { from: "linked.connected", to: WAITING, event: "link.lost", changed: { attempt: [0, 1] } }),
  entry(4, { from: WAITING, to: DIALING, event: "xstate.after.backoff.node.error.waiting", actor: "timer" }),
  entry(5, { from: DIALING, to: WAITING, event: "link.lost", changed: { attempt: [1, 2] } }),
  entry(6, { from: WAITING, to: WAITING, event: "edited" }),
);
const actor: ActorDetail = {
  kind: "node",
  id: "7",
  name: "oslo",
  state: WAITING,
  meaning: "",
  since: 5,
  version: 1,
  rev: 6,
  wakeAt: null,
  running: [],
  attempts: 2,
  trouble: null,
  context: { attempt: 2 },
  measured: {},
  next: [],
  why: { event: "edited", at: 6, atMs: 6000, actor: "anna", text: "" },
  entered: null,
  timers: [],
  effects: [],
  fault: null,
};

test("the present knows where the actor came from as soon as the journal does", () => {
  expect(presentOf(actor, undefined).step?.from).toBeUndefined();
  expect(presentOf(actor, journal.get(6)).step?.from).toBe(WAITING);
  expect(presentOf(actor, journal.get(6)).sinceMs).toBe(5000);
});

test("a moment of the past has the state, the stay and the context of then", () => {
  const then = pastOf(3, actor.context, journal, 6);
  expect(then).toMatchObject({ state: WAITING, sinceMs: 3000, untilMs: 4000 });
  expect(then?.context.get("attempt")).toEqual({ known: true, value: 1 });
  expect([...(then?.changed ?? [])]).toEqual(["attempt"]);
});

test("a step that changed no state did not begin the stay", () => {
  expect(pastOf(6, actor.context, journal, 6)).toMatchObject({ sinceMs: 5000, untilMs: undefined });
});

test("of an actor that is gone, what its journal names is known and nothing more", () => {
  const gone = pastOf(5, undefined, journal, 6);
  expect(gone?.context.get("attempt")).toEqual({ known: true, value: 2 });
  expect(gone?.context.has("engine")).toBe(false);
});

test("an entry that was not read is no moment", () => {
  expect(pastOf(99, actor.context, journal, 100)).toBeUndefined();
});

test("trouble began when the actor last stood well, however often it tried since", () => {
  expect(troubleAt("node", journal, 6)).toEqual({ sinceMs: 3000, failures: 2 });
  expect(troubleAt("node", journal, 4)).toEqual({ sinceMs: 3000, failures: 1 });
  expect(troubleAt("node", journal, 2)).toBeUndefined();
  const unread = new Map([...journal].filter(([seq]) => seq > 3));
  expect(troubleAt("node", unread, 6)).toBeUndefined();
});
