// What is left of a node that is about to be deleted, asked when the question is, of who may remove it.
import { ApiError, call } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";
import { leftoversOf, type Leftovers } from "./leftovers.ts";
import type { Node } from "./node.ts";
import { useTemplates } from "./use-templates.ts";

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
