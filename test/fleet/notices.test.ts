// What a node does not serve is a code with values, made by the part that leaves it out; an agent's warnings, and those
// of older rows, come without one.
import { describe, expect, test } from "vitest";
import { ClockSkew } from "../../src/fleet/link/clock-skew.ts";
import { keptNotices, notice, noticesOf, otherNotice } from "../../src/fleet/records/notices.ts";
import { structureOf } from "../../src/fleet/desired/structure.ts";
import { translateNotices } from "../../src/web/words/translate.ts";
import { DICTIONARIES } from "../web/words/dictionaries.ts";

const SOCKS = { id: 1, tag: "in", type: "socks", config: { listen_port: 1080, netns: "other" } };

// rule nodes.warnings.1
test("what would reach the host is left out with a notice that names the item and its paths", () => {
  const structure = structureOf({ route: null, core: null, inbounds: [SOCKS], outbounds: [] }, null);
  expect([...structure.objects()]).toEqual([]);
  expect(structure.notices).toEqual([
    {
      code: "reaches_host",
      values: ["netns"],
      kind: "inbound",
      tag: "in",
      detail: expect.stringContaining("inbound in: `netns`"),
    },
  ]);
});

// rule nodes.warnings.1
test("each warning of a row has its notice, in the same order; without a code it is another one", () => {
  const coded = notice("ledgers", [24], "too many ledgers");
  expect(noticesOf(["a", "too many ledgers"], [coded])).toEqual([otherNotice("a"), coded]);
  // Rows that an older panel wrote.
  expect(noticesOf(["a"], undefined)).toEqual([{ code: "other", values: [], detail: "a", kind: "", tag: "" }]);
  expect(noticesOf(["a"], [{ code: 1 }])).toEqual([otherNotice("a")]);
});

test("what does not fit into a row is counted by the last notice", () => {
  const kept = keptNotices(Array.from({ length: 20 }, (_, index) => otherNotice(`${index}`.padEnd(1000))));
  expect(kept).toHaveLength(9);
  expect(kept.at(-1)).toMatchObject({ code: "more", values: [12] });
});

test("pages say a notice in the reader's language, and what has no code as it was said", () => {
  for (const { words } of DICTIONARIES) {
    const tell = translateNotices(words.notices);
    expect(tell(notice("ledgers", [24], "too many"))).toBe(words.notices.ledgers(24));
    expect(tell(notice("reaches_host", ["a", "b"], "no"))).toContain("a, b");
    expect(tell(otherNotice("inbound a: no"))).toBe("inbound a: no");
    expect(tell({ code: "of_a_newer_panel", values: [], detail: "so" })).toBe("so");
  }
});

// rule nodes.warnings.6
describe("a node's clock", () => {
  const said = (...offs: readonly number[]) => {
    const skew = new ClockSkew();
    for (const off of offs) skew.heard(2_000_000_000 + off, 2_000_000_000);
    return skew.notices.map(({ code, values }) => [code, ...values]);
  };

  test.each([
    ["right", [0, 0, 0], []],
    ["a little off", [50, 55, -40], []],
    ["two hours behind", [-7200, -7200], [["clock_behind", 7200]]],
    ["a day ahead", [86_400, 86_400, 86_399], [["clock_ahead", 86_400]]],
    ["of one heartbeat that was late", [0, -300, 0, -300, 0], []],
    ["set again", [-7200, -7200, 0, 1], []],
    ["off otherwise", [-7200, -7200, 600, 600], [["clock_ahead", 600]]],
  ])("%s", (_, offs, notices) => {
    expect(said(...offs)).toEqual(notices);
  });

  test("is said in words of people", () => {
    const skew = new ClockSkew();
    for (let beat = 0; beat < 2; beat++) skew.heard(0, 7200);
    expect(skew.notices[0]?.detail).toBe("the node's clock is 2 hours behind the panel's: set it (NTP)");
  });
});
