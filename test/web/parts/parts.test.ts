// What shared parts decide without a page: tones, changed rows, bodies of forms.
import { expect, test } from "vitest";
import { nodeMachine } from "../../../machines/node.ts";
import { userMachine } from "../../../machines/user.ts";
import { nested, sameValue } from "../../../src/web/parts/form/field.ts";
import { countChanged } from "../../../src/web/parts/table/changed-rows.ts";
import { stateTone } from "../../../src/web/parts/tone.ts";

test("no resting state of a chart is shown as work under way", () => {
  const resting = [
    [
      "user",
      userMachine,
      ["enabled.waiting", "enabled.started", "disabled.manual", "disabled.volume", "disabled.expiry"],
    ],
    ["node", nodeMachine, ["linked.connected", "error.waiting", "disabled.manual"]],
  ] as const;
  for (const [kind, machine, states] of resting) {
    for (const state of states) {
      const path = state.split(".");
      expect(
        path.reduce<object | undefined>(
          (node, name) => Object.entries(statesOf(node)).find(([key]) => key === name)?.[1],
          machine.config,
        ),
      ).toBeDefined();
      expect(stateTone(kind, state)).not.toBe("running");
    }
  }
});

function statesOf(node: object | undefined): Record<string, object> {
  return node && "states" in node && typeof node.states === "object" && node.states !== null
    ? (node.states as Record<string, object>)
    : {};
}

test("states of charts without a table are told by their names", () => {
  expect([stateTone("certificate", "valid"), stateTone("install", "failed"), stateTone("tunnel", "backoff")]).toEqual([
    "ok",
    "failed",
    "waiting",
  ]);
});

test("rows that changed, came or went are counted", () => {
  const then = [
    { id: 1, name: "a" },
    { id: 2, name: "b" },
    { id: 3, name: "c" },
  ];
  const now = [
    { id: 1, name: "a" },
    { id: 2, name: "B" },
    { id: 4, name: "d" },
  ];
  expect(countChanged(then, now, (row) => row.id)).toBe(3);
});

test("parts of a field are sent inside it", () => {
  expect(nested({ name: "ann", "contact.email": "a@b.c", "contact.phone": "" })).toEqual({
    name: "ann",
    contact: { email: "a@b.c", phone: "" },
  });
});

test("the order of chosen ids is no change", () => {
  expect([sameValue([1, 2], [2, 1]), sameValue([1], [1, 2]), sameValue(0, undefined)]).toEqual([true, false, false]);
});
