// A fact is named by its definition alone: another name or value does not compile, and what another process wrote is
// checked before a listener gets it.
import { expect, test } from "vitest";
import { z } from "zod";
import type { Draft } from "../../src/db/index.ts";
import { defineFact, Facts } from "../../src/db/facts.ts";
import type { StaticPart } from "../../src/feature/testing.ts";

const RUNG = defineFact("bell.rung", z.object({ times: z.int() }));
const HEARD = defineFact<{ readonly by: string }>("bell.heard");

test("values are typed by the definition, for whoever publishes and whoever listens", () => {
  const facts = new Facts().add(RUNG, { times: 2 }).add(HEARD, { by: "Tom" }).add(RUNG, { times: 1 });
  const times: number[] = facts.of(RUNG).map((rung) => rung.times);
  expect(times).toEqual([2, 1]);
  expect([facts.has(HEARD), facts.has(defineFact("bell.lost")), facts.isEmpty]).toEqual([true, false, false]);
  // Compiled, not called.
  expect((draft: Draft) => {
    draft.publish(RUNG, { times: 1 });
    // @ts-expect-error A name is no fact.
    draft.publish("bell.rung", { times: 1 });
    // @ts-expect-error The value of another type.
    draft.publish(RUNG, { times: "often" });
    // @ts-expect-error The value of another fact.
    draft.publish(RUNG, { by: "Tom" });
    // @ts-expect-error What is read has the type of the definition.
    return facts.of(HEARD)[0]?.times;
  }).toBeTypeOf("function");
});

test("what another process wrote is checked when it is asked for, and a fact without a schema never leaves", () => {
  const written = JSON.parse(JSON.stringify(new Facts().add(RUNG, { times: 3 }).among(new Set(["bell.rung"]))));
  expect(Facts.written(written).of(RUNG)).toEqual([{ times: 3 }]);
  const foreign = Facts.written({ "bell.rung": [{ times: "often" }], "bell.heard": [{ by: "Tom" }] });
  expect(() => foreign.of(RUNG)).toThrow(z.ZodError);
  expect(() => foreign.of(HEARD)).toThrow("bell.heard belongs to one process");
  expect(new Facts().add(HEARD, { by: "Tom" }).among(new Set(["bell.rung"]))).toBeUndefined();
  // @ts-expect-error Only what has a schema can be heard elsewhere.
  expect({ facts: [HEARD] } satisfies StaticPart["echo"]).toBeDefined();
});
