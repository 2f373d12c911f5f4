// The steps from one frame of Xray to another: at no moment does a rule name an outbound that is not there, nor is
// there a moment without rules.
import { describe, expect, test } from "vitest";
import { frameSteps, type LiveFrame } from "../../../src/agent/engines/rays/frame-change.ts";
import { tagged } from "../../../src/agent/engines/rays/rule-tags.ts";
import { detourOf, withDetour } from "../../../src/agent/engines/xray/groups.ts";

const words = { detourOf, withDetour };
const frame = (outbounds: [string, unknown][], rules: Record<string, unknown>[] = []): LiveFrame => ({
  outbounds: outbounds.map(([tag, settings]) => ({ tag, settings })),
  routing: tagged({ rules, balancers: [] }),
});

/**
 * Walks through the steps as an engine does, and fails when at any moment a rule names what is not there or the default
 * is away unseen.
 */
function walk(before: LiveFrame, after: LiveFrame): { default: unknown; tags: string[]; rules: number } {
  const tags = new Map(before.outbounds.map((outbound) => [outbound["tag"], outbound]));
  let chosen: unknown = before.outbounds[0]?.["tag"];
  let rules = before.routing.rules;
  for (const step of frameSteps(before, after, words)) {
    if (step.kind === "add") {
      expect(tags.has(step.outbound["tag"])).toBe(false);
      tags.set(step.outbound["tag"], step.outbound);
      chosen ??= step.outbound["tag"];
    } else if (step.kind === "remove") {
      expect(tags.delete(step.tag)).toBe(true);
      if (chosen === step.tag) chosen = undefined;
    } else {
      expect(rules).toEqual(step.before.rules);
      expect(new Set([...step.before.rules, ...step.after.rules].map((rule) => rule["ruleTag"])).size).toBe(
        step.before.rules.length + step.after.rules.length,
      );
      rules = step.after.rules;
    }
    for (const rule of rules)
      expect(tags.has(rule["outboundTag"]), `${String(rule["outboundTag"])} after ${step.kind}`).toBe(true);
    const caughtAll = rules.some((rule) => rule["network"] === "tcp,udp");
    expect(chosen !== undefined || caughtAll, `no default after ${step.kind}`).toBe(true);
    for (const outbound of tags.values()) {
      const detour = detourOf(outbound);
      const away = detour !== undefined && !tags.has(detour);
      // What dials through an outbound that is away must not be on anybody's way.
      expect(
        away &&
          (rules.some((rule) => rule["outboundTag"] === outbound["tag"]) || (!caughtAll && chosen === outbound["tag"])),
      ).toBe(false);
    }
  }
  expect(rules).toEqual(after.routing.rules);
  return { default: chosen, tags: [...tags.keys()].map(String).toSorted(), rules: rules.length };
}

describe("the steps", () => {
  const to = (outboundTag: string): Record<string, unknown> => ({ port: "1", outboundTag });
  const through = (tag: string): unknown => ({ through: tag });

  test.for<[string, LiveFrame, LiveFrame]>([
    ["nothing", frame([["a", 1]], [to("a")]), frame([["a", 1]], [to("a")])],
    [
      "rules alone",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("a")],
      ),
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("b"), to("a")],
      ),
    ],
    [
      "a new outbound",
      frame([["a", 1]], [to("a")]),
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("b")],
      ),
    ],
    [
      "one that goes",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("b")],
      ),
      frame([["a", 1]], [to("a")]),
    ],
    [
      "one that changes behind its tag",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("b")],
      ),
      frame(
        [
          ["a", 1],
          ["b", 2],
        ],
        [to("b")],
      ),
    ],
    [
      "the default changes behind its tag",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("b")],
      ),
      frame(
        [
          ["a", 2],
          ["b", 1],
        ],
        [to("b")],
      ),
    ],
    [
      "another default",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("a")],
      ),
      frame(
        [
          ["b", 1],
          ["a", 1],
        ],
        [to("a")],
      ),
    ],
    [
      "a new default",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("a")],
      ),
      frame(
        [
          ["c", 1],
          ["a", 1],
          ["b", 2],
        ],
        [to("a")],
      ),
    ],
    [
      "the default goes",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("a")],
      ),
      frame([["b", 1]], [to("b")]),
    ],
    [
      "everything",
      frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("a"), to("b")],
      ),
      frame(
        [
          ["c", 1],
          ["d", 1],
        ],
        [to("d")],
      ),
    ],
  ])("%s", ([, before, after]) => {
    const end = walk(before, after);
    expect(end).toEqual({
      default: after.outbounds[0]?.["tag"],
      tags: after.outbounds.map((outbound) => String(outbound["tag"])).toSorted(),
      rules: after.routing.rules.length,
    });
  });

  test("what dials through a changed outbound changes with it", () => {
    const dialling = (tag: string, by: string): Record<string, unknown> => ({
      tag,
      streamSettings: { sockopt: { dialerProxy: by } },
    });
    const before = {
      ...frame(
        [
          ["a", 1],
          ["b", 1],
        ],
        [to("c")],
      ),
    };
    const after = {
      ...frame(
        [
          ["a", 1],
          ["b", through("x")],
        ],
        [to("c")],
      ),
    };
    const chain = [dialling("c", "d"), dialling("d", "b")];
    walk(
      { ...before, outbounds: [...before.outbounds, ...chain] },
      { ...after, outbounds: [...after.outbounds, ...chain] },
    );
    const steps = frameSteps(
      { ...before, outbounds: [...before.outbounds, ...chain] },
      { ...after, outbounds: [...after.outbounds, ...chain] },
      words,
    );
    expect(steps.flatMap((step) => (step.kind === "add" ? [step.outbound["tag"]] : []))).toEqual([
      "signalbox.next.b",
      "signalbox.next.c",
      "signalbox.next.d",
      "b",
      "c",
      "d",
    ]);
  });
});
