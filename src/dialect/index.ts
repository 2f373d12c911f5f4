// What configuration may say to a host, in one place: the panel asks when something is written or sent, the agent again
// before it is run (rules pool.fragment). A fragment is checked against a closed list of keys for its collection and
// type; nothing on the lists names a program, a file, a directory, a socket, an environment or an interface of the
// host.
import { isPrivateHost } from "../lib/private-addresses.ts";
import { described, type KeySchema } from "./described.ts";
import { INBOUNDS } from "./inbounds.ts";
import { OUTBOUND_TLS } from "./layers.ts";
import { ENDPOINTS, OUTBOUNDS } from "./outbounds.ts";
import { CORE, ROUTE, RULE_SETS } from "./routing.ts";
import { block, type Shape, values } from "./shape.ts";
import { host } from "./values.ts";
import { found, isObject, type Found, type Path } from "./walk.ts";
export type { KeySchema } from "./described.ts";
export { FLOWS, servedFlow, VISION } from "./flows.ts";

/** Shapes of collections whose items have a type. `endpoints` stand among the outbounds of a plan. */
const BY_TYPE = { inbounds: INBOUNDS, outbounds: OUTBOUNDS, endpoints: ENDPOINTS, rulesets: RULE_SETS } as const;
/** Shapes of what has none: `clientConfig` of an inbound, the `client` template of a certificate. */
const WITHOUT_TYPE = {
  route: ROUTE,
  core: CORE,
  clientConfig: block({ ...values("server_port"), server: host, tls: OUTBOUND_TLS }),
  clientTls: OUTBOUND_TLS,
} as const;

/** Where a fragment belongs. For `route`, `core`, `clientConfig` and `clientTls` the type counts for nothing. */
export type Collection = keyof typeof BY_TYPE | keyof typeof WITHOUT_TYPE;

export interface Target {
  readonly path: string;
  /** As it is written; empty where that means the node itself. */
  readonly host: string;
}

/** The types of a collection that are allowed. */
export function typesOf(collection: keyof typeof BY_TYPE): readonly string[] {
  return Object.keys(BY_TYPE[collection]);
}

/** Every collection. */
export const COLLECTIONS = [
  ...(Object.keys(BY_TYPE) as (keyof typeof BY_TYPE)[]),
  ...(Object.keys(WITHOUT_TYPE) as (keyof typeof WITHOUT_TYPE)[]),
] as const;

/** The keys that a fragment may hold, as JSON Schema; undefined for a type that is not allowed. */
export function keysOf(collection: Collection, type: string): KeySchema | undefined {
  const shape = shapeOf(collection, type);
  return shape && described(shape);
}

function shapeOf(collection: Collection, type: string): Shape | undefined {
  if (collection in WITHOUT_TYPE) return WITHOUT_TYPE[collection as keyof typeof WITHOUT_TYPE];
  const shapes: Readonly<Record<string, Shape>> = BY_TYPE[collection as keyof typeof BY_TYPE];
  return Object.hasOwn(shapes, type) ? shapes[type] : undefined;
}

function foundIn(collection: Collection, type: string, fragment: unknown): Found {
  const shape = shapeOf(collection, type);
  return shape ? found(shape, fragment) : { forbidden: [["type"]], targets: [], secrets: [] };
}

const text = (path: Path): string => path.join(".");

/**
 * Paths inside `fragment`, joined by dots (`tls.certificate_path`, `rules.0.process_name`), of every key that is not on
 * the list and every value that would reach the host by itself (`masquerade` of a file). A type that is not allowed at
 * all is the path `type`. Empty: nothing is wrong.
 */
export function forbiddenPaths(collection: Collection, type: string, fragment: unknown): string[] {
  return foundIn(collection, type, fragment).forbidden.map(text);
}

/**
 * The hosts that an engine would connect to on its own: fallbacks, handshakes, `direct` and overridden addresses, DNS
 * and time servers, answers of a resolver, what is fetched. Servers of outbounds are not included: an operator may send
 * users' traffic through a server in the node's own network.
 */
export function targetsOf(collection: Collection, type: string, fragment: unknown): Target[] {
  return foundIn(collection, type, fragment).targets.map((target) => ({ path: text(target.path), host: target.host }));
}

/**
 * Paths of the targets from `targetsOf` that are written as loopback or private, in any notation. A name that merely
 * resolves to such an address is not among them.
 */
export function privateTargetPaths(collection: Collection, type: string, fragment: unknown): string[] {
  return targetsOf(collection, type, fragment)
    .filter((target) => isPrivateHost(target.host))
    .map(({ path }) => path);
}

/**
 * `fragment` as somebody reads it who may not change it: private keys and passwords are empty, and so is what is not on
 * the list.
 */
export function withoutSecrets(
  collection: Collection,
  type: string,
  fragment: Record<string, unknown>,
): Record<string, unknown> {
  if (!shapeOf(collection, type)) return {};
  const { secrets, forbidden } = foundIn(collection, type, fragment);
  const shown = structuredClone(fragment);
  for (const path of [...secrets, ...forbidden]) replace(shown, path, (value) => (Array.isArray(value) ? [] : ""));
  return shown;
}

/** `fragment` with the stored value of every secret that came empty. Both are of `type`. */
export function withStoredSecrets(
  collection: Collection,
  type: string,
  fragment: Record<string, unknown>,
  stored: Record<string, unknown>,
): Record<string, unknown> {
  const empty = foundIn(collection, type, fragment).secrets.filter((path) => isEmpty(at(fragment, path)));
  const whole = structuredClone(fragment);
  for (const path of empty) replace(whole, path, (value) => at(stored, path) ?? value);
  return whole;
}

/**
 * `fragment` without what is forbidden in it, with the whole item of a list that holds such (a rule, a DNS server, a
 * rule set): half a rule would match more than was meant. `privateToo`: without the private ones of `targetsOf` as
 * well.
 */
export function withoutForbidden(
  collection: Collection,
  type: string,
  fragment: Record<string, unknown>,
  privateToo = false,
): Record<string, unknown> {
  const { forbidden, targets } = foundIn(collection, type, fragment);
  const closed = privateToo ? targets.filter(({ host: name }) => isPrivateHost(name)).map(({ path }) => path) : [];
  const paths = [...forbidden, ...closed];
  if (paths.some((path) => path.length === 0)) return {};
  const dropped = paths.map((path) => {
    const item = path.findIndex((_, depth) => Array.isArray(at(fragment, path.slice(0, depth))));
    return item < 0 ? path : path.slice(0, item + 1);
  });
  return without(fragment, [], new Set(dropped.map((path) => JSON.stringify(path)))) as Record<string, unknown>;
}

function without(value: unknown, path: Path, dropped: ReadonlySet<string>): unknown {
  const stays = ([key]: readonly [string, unknown]): boolean => !dropped.has(JSON.stringify([...path, key]));
  if (!isObject(value) && !Array.isArray(value)) return value;
  const kept = Object.entries(value)
    .filter(stays)
    .map(([key, inner]) => [key, without(inner, [...path, key], dropped)] as const);
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.every((item) => item === ""));
}

function at(value: unknown, path: Path): unknown {
  let here = value;
  for (const key of path)
    here = (isObject(here) || Array.isArray(here)) && Object.hasOwn(here, key) ? Reflect.get(here, key) : undefined;
  return here;
}

function replace(fragment: object, path: Path, change: (value: unknown) => unknown): void {
  const last = path.at(-1);
  const holder = at(fragment, path.slice(0, -1));
  if (last !== undefined && typeof holder === "object" && holder !== null)
    Reflect.set(holder, last, change(at(holder, [last])));
}
