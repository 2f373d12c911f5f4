// What a node shall serve besides users: the objects of its template, its own routing over the template's, by digest. Shared by the nodes of a template.
import { digestObject, digestStructure } from "../protocol/digest.ts";
import { planKey, type PlanObject, type Structure } from "../protocol/plan.ts";

type Json = Record<string, unknown>;

/** A template with what it carries, as the pool gives it. */
export interface TemplateContent {
  readonly route: Json | null;
  readonly core: Json | null;
  readonly inbounds: readonly { readonly id: number; readonly tag: string; readonly type: string; readonly config: Json }[];
  readonly outbounds: readonly { readonly tag: string; readonly type: string; readonly config: Json }[];
}

/** Objects and their digests, ready to be compared with an agent's. */
export interface DesiredStructure {
  readonly objects: Structure;
  readonly digests: Readonly<Record<string, string>>;
  readonly digest: string;
}

/** The desired structure of a node. Without a template it is empty: the agent then serves nobody. `routing` overrides the template's route. */
export function structureOf(template: TemplateContent | undefined, routing: Json | null): DesiredStructure {
  const objects: PlanObject[] = [];
  for (const { id, tag, type, config } of template?.inbounds ?? []) objects.push({ kind: "inbound", id, tag, type, config });
  for (const { tag, type, config } of template?.outbounds ?? []) objects.push({ kind: "outbound", tag, type, config });
  const route = routing ?? template?.route;
  if (route && Object.keys(route).length > 0) objects.push({ kind: "route", route });
  if (template?.core && Object.keys(template.core).length > 0) objects.push({ kind: "core", core: template.core });
  const structure = Object.fromEntries(objects.map((object) => [planKey(object), object]));
  const digests = Object.fromEntries(Object.entries(structure).map(([key, object]) => [key, digestObject(object)]));
  return { objects: structure, digests, digest: digestStructure(digests) };
}
