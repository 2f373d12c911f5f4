// What a node is told to run: the desired state that the panel derives and the agent carries out.
// `structure` is a map of objects compared one by one by digest; `users` is one flat set, compared by 256 bucket
// digests.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { OwnCredentials } from "../lib/own-credentials.ts";

/** A JSON object as operators write it: an engine fragment in the sing-box dialect (rule pool.fragment.1). */
export const Fragment = z.record(z.string(), z.unknown());
export type Fragment = z.infer<typeof Fragment>;

/**
 * An inbound as a node serves it. `config` is the stored fragment (listen, listen_port, tls, transport …) without
 * users; certificates are already filled in as PEM.
 */
export const PlanInbound = z.object({
  kind: z.literal("inbound"),
  id: z.int().positive(),
  tag: z.string().min(1),
  type: z.string().min(1),
  config: Fragment,
  /** Headers of its fronts: where a request has one of them, `X-Forwarded-For` names the client. Absent: none. */
  trustedHeaders: z
    .array(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/))
    .max(20)
    .optional(),
});
export type PlanInbound = z.infer<typeof PlanInbound>;

/** An outbound in the stored dialect; `block` types are counted by tag when they refuse something. */
export const PlanOutbound = z.object({
  kind: z.literal("outbound"),
  tag: z.string().min(1),
  type: z.string().min(1),
  config: Fragment,
});
export type PlanOutbound = z.infer<typeof PlanOutbound>;

/**
 * Routing after precedence is settled (node over template): `final` names an outbound; the rules are sing-box route
 * rules.
 */
export const PlanRoute = z.object({ kind: z.literal("route"), route: Fragment });

/** The template's dns, log and ntp blocks. */
export const PlanCore = z.object({ kind: z.literal("core"), core: Fragment });

export const PlanObject = z.discriminatedUnion("kind", [PlanInbound, PlanOutbound, PlanRoute, PlanCore]);
export type PlanObject = z.infer<typeof PlanObject>;

/** Objects by key: `inbound:<id>`, `outbound:<tag>`, `route`, `core`. */
export const Structure = z.record(z.string().max(200), PlanObject);
export type Structure = z.infer<typeof Structure>;

/** The key of an object in a `Structure`. */
export function planKey(object: PlanObject): string {
  if (object.kind === "inbound") return `inbound:${object.id}`;
  if (object.kind === "outbound") return `outbound:${object.tag}`;
  return object.kind;
}

/**
 * One user of the node. `speedLimit`: bytes per second and direction, 0 = none. `ipLimit`: distinct sources, 0 = none.
 * `inbounds`: the only ones that they are on, by id; absent: every one. `by`: credentials for one protocol alone.
 */
export const PlanUser = z.object({
  id: z.int().positive(),
  uuid: z.string(),
  password: z.string(),
  ss16: z.string(),
  ss32: z.string(),
  flow: z.string(),
  speedLimit: z.int().nonnegative(),
  ipLimit: z.int().nonnegative(),
  inbounds: z.array(z.int().positive()).exactOptional(),
  by: OwnCredentials.exactOptional(),
});
export type PlanUser = z.infer<typeof PlanUser>;

const USER_FIELDS = PlanUser.keyof().options;

/** Whether nothing that a node knows of a user differs: no field that is added later is forgotten here. */
export function samePlanUser(a: PlanUser, b: PlanUser): boolean {
  return USER_FIELDS.every((field) => a[field] === b[field] || isDeepStrictEqual(a[field], b[field]));
}

/** Whether a user is on an inbound of their node. */
export function isOnInbound(
  { inbounds }: { readonly inbounds?: readonly number[] | undefined },
  inboundId: number,
): boolean {
  return inbounds === undefined || inbounds.includes(inboundId);
}

/** The name under which engines know a user of an inbound, and under which they count it. */
export function engineUserName(userId: number, inboundId: number): string {
  return `${userId}.${inboundId}`;
}

/** The user and inbound that `engineUserName` named; undefined for a name that is none of ours. */
export function parseEngineUserName(name: string): { userId: number; inboundId: number } | undefined {
  const match = /^([1-9]\d{0,15})\.([1-9]\d{0,15})$/.exec(name);
  return match ? { userId: Number(match[1]), inboundId: Number(match[2]) } : undefined;
}
