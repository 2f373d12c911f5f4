// What a deleted node leaves behind: its template and inbounds, unless another node or template has them.
import { expect, test } from "vitest";
import { leftoversOf } from "../../../src/web/nodes/leftovers.ts";

const template = (id: number, inboundIds: number[]) => ({ id, name: `t${id}`, inboundIds });
const node = (id: number, templateId: number | null) => ({ id, templateId });

test("nothing else has them", () => {
  const found = leftoversOf(node(1, 5), [node(1, 5), node(2, 6)], [template(5, [10, 11]), template(6, [11])]);
  expect(found?.template.name).toBe("t5");
  expect(found?.inbounds).toEqual([10]);
});

test("another node runs the same, or it runs none", () => {
  expect(leftoversOf(node(1, 5), [node(1, 5), node(2, 5)], [template(5, [10])])).toBeUndefined();
  expect(leftoversOf(node(1, null), [node(1, null)], [template(5, [10])])).toBeUndefined();
});
