// What a node leaves behind that nothing else uses: its template, and the inbounds of that template that no other one
// carries. Pure.
import type { z } from "zod";
import type { TemplateView } from "../../pool/template.schema.ts";
import type { Node } from "./node.ts";

type Template = Pick<z.output<typeof TemplateView>, "id" | "name" | "inboundIds">;

export interface Leftovers {
  readonly template: Template;
  /** Ids. */
  readonly inbounds: readonly number[];
}

/** `nodes` and `templates`: all that there are. Undefined: it leaves nothing, or another node runs the same. */
export function leftoversOf(
  node: Pick<Node, "id" | "templateId">,
  nodes: readonly Pick<Node, "id" | "templateId">[],
  templates: readonly Template[],
): Leftovers | undefined {
  const template = templates.find(({ id }) => id === node.templateId);
  if (!template || nodes.some(({ id, templateId }) => id !== node.id && templateId === template.id)) return undefined;
  const elsewhere = new Set(templates.flatMap(({ id, inboundIds }) => (id === template.id ? [] : inboundIds)));
  return { template, inbounds: template.inboundIds.filter((id) => !elsewhere.has(id)) };
}
