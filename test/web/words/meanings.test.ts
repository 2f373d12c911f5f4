// Every chart that runs has its words in each language; English says of a state what the chart says.
import { expect, test } from "vitest";
import { readCharts } from "../../../scripts/charts/charts.ts";
import { actionText } from "../../../src/web/audit/change.ts";
import { readEvent } from "../../../src/web/inspect/event/event-sign.ts";
import { translateActors, translateRaised } from "../../../src/web/words/translate.ts";
import { en } from "../../../src/web/words/en.ts";
import { DICTIONARIES } from "./dictionaries.ts";

const charts = await readCharts();
const OWN = /^xstate\./;

test("there are words for the charts that run, and for no others", () => {
  const kinds = charts.map(({ kind }) => kind).toSorted();
  expect(Object.keys(en.actors).toSorted()).toEqual(kinds);
});

test.each(charts)("the states of $kind are in the dictionary with the chart's own sentences", ({ kind, graph }) => {
  const said = Object.fromEntries(
    [...graph.boxes.values()].filter((box) => box.kind !== "any").map(({ id, meaning }) => [id, meaning]),
  );
  expect(Object.entries(en.actors).find(([each]) => each === kind)?.[1].states).toEqual(said);
});

test.each(charts)(
  "the events, deadlines, conditions and effects of $kind are in the dictionary",
  ({ kind, machine, data }) => {
    const words = Object.entries(en.actors).find(([each]) => each === kind)?.[1];
    const { events = {}, deadlines = {}, effects = {}, guards = {} } = words ?? {};
    const named: readonly string[] = machine.events.filter((event) => event !== "" && !OWN.test(event));
    expect(Object.keys(events).toSorted()).toEqual(named.toSorted());
    expect(Object.keys(deadlines).toSorted()).toEqual(Object.keys(data.delays).toSorted());
    expect(Object.keys(guards).toSorted()).toEqual(Object.keys(machine.implementations.guards).toSorted());
    expect(Object.keys(effects).toSorted()).toEqual(Object.keys(machine.implementations.actors).toSorted());
  },
);

test.each(DICTIONARIES)("$language says what a journal entry means", ({ words }) => {
  const translate = translateActors(words);
  const { node, user } = words.actors;
  expect(translate.meaning("node", "error.waiting", "as the chart says")).toBe(node.states["error.waiting"]);
  expect(translate.event("node", readEvent("link.lost", "node"))).toBe(node.events["link.lost"]);
  expect(translate.event("user", readEvent("due", "user"))).toBe(user.events.due);
  expect(translate.event("node", readEvent("xstate.after.backoff.node.error.waiting", "node"))).toBe(
    node.deadlines.backoff,
  );
  expect(translate.event("user", readEvent("created", "user"))).toBe(words.inspect.events.created);
  expect(translateRaised(words.raised, words.raisedFor, "user.renewed")).toBe(words.raised["user.renewed"]);
  expect(actionText("2fa.enable", words.actions)).toBe(words.actions["2fa.enable"]);
});

// rule resellers.event.2
test.each(DICTIONARIES)("$language tells the customer's limits and the seller's apart", ({ words }) => {
  const said = (event: string, reason: string) => translateRaised(words.raised, words.raisedFor, event, reason);
  for (const [event, ...reasons] of [
    ["user.disabled", "volume", "expiry", "resale-volume", "resale-expiry"],
    ["user.quota_reached", "volume", "resale-volume"],
    ["user.expired", "expiry", "resale-expiry"],
  ] as const) {
    const sentences = [
      translateRaised(words.raised, words.raisedFor, event),
      ...reasons.map((one) => said(event, one)),
    ];
    expect(new Set(sentences).size, event).toBe(reasons.length + 1);
  }
});

test("what has no words stays as the panel says it", () => {
  const translate = translateActors(en);
  expect(translate.meaning("tunnel", "up", "The tunnel is up.")).toBe("The tunnel is up.");
  expect(translate.meaning("node", "toString", "Its own.")).toBe("Its own.");
  expect(translate.event("tunnel", readEvent("raised", "tunnel"))).toBe("raised");
  expect(translateRaised(en.raised, en.raisedFor, "panel.unheard_of")).toBe("panel.unheard_of");
  expect(translateRaised(en.raised, en.raisedFor, "user.expired", "of old")).toBe(en.raised["user.expired"]);
  expect(actionText("unheard-of", en.actions)).toBe("unheard-of");
});

// rule inspector.log.7
test.each(DICTIONARIES)("$language says what a line of the log of errands means", ({ words }) => {
  const { line } = translateActors(words);
  const said = (code: string, ...values: readonly (string | number)[]) => line({ code, values, text: "" });
  expect(said("attempt_began", 2)).toBe(words.inspect.log.lines.attempt_began(2));
  expect(said("attempt_failed", 2, "no route")).toContain("no route");
  expect(said("lines_left_out", 7)).toBe(words.inspect.log.lines.lines_left_out(7));
  expect(said("errand_late", 4000)).toBe(words.problems.errand_late(4000));
  expect(said("secret_lost")).toBe(words.problems.secret_lost);
  // What no word is known for, and what a remote program said, is shown as it is.
  expect(said("uploaded", "agent.tar", 4711)).toBe("uploaded agent.tar 4711");
  expect(line({ code: "output", values: [], text: "sh: not found" })).toBe("sh: not found");
});
