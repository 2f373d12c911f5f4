// What a node leaves behind that nothing else uses: its template, and the inbounds of that template that no other one
// carries. It is asked when the question of a deletion is, of who may remove it.
import type { z } from "zod";
import type { TemplateView } from "../../pool/template.schema.ts";
import { ApiError, call } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";
import type { Node } from "./node.ts";
import { useTemplates } from "./use-templates.ts";

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

/** One answer carries as many; past that it is not known what else uses a template. */
const MOST = 1000;

export function useLeftovers(node: Node | undefined): Leftovers | undefined {
  const can = useCan();
  const may = can("templates:write") && can("pool:write");
  const { data: nodes } = useApi<Listing<Node>>("/nodes", { limit: MOST }, { enabled: may && node !== undefined });
  const { data: templates } = useTemplates();
  if (!may || !node || !nodes || !templates || nodes.total > nodes.items.length || templates.length >= MOST)
    return undefined;
  return leftoversOf(node, nodes.items, templates);
}

/**
 * Template first: it holds its inbounds. Resolves to what stood in the way; somebody may have begun to use them
 * meanwhile.
 */
export async function removeLeftovers({ template, inbounds }: Leftovers): Promise<ApiError | undefined> {
  try {
    await call("DELETE", `/templates/${template.id}`);
    for (const id of inbounds) await call("DELETE", `/inbounds/${id}`);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
