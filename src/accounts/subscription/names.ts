// Names of entries: built from remarks, cleaned of what breaks clients, and unique, since one repeated tag makes
// sing-box refuse a file.
import { oneLine } from "../../lib/one-line.ts";

/** What a name is built from; empty parts are left out. */
export interface NameParts {
  readonly userRemark: string;
  /**
   * The inbound's remark, or its tag. May hold {name} or {user} (the account's name), {inbound} (the tag), {node},
   * {label}, {protocol}, {transport}, {security}.
   */
  readonly inbound: string;
  readonly tag: string;
  readonly userName: string;
  /** Empty if the entry is not for one node. */
  readonly node: string;
  /** Label of the link address, or the front's name. */
  readonly label: string;
  readonly protocol: string;
  readonly transport: string;
  readonly security: string;
}

/** Names that generated documents use for their own outbounds and groups. */
const RESERVED = [
  "proxy",
  "auto",
  "direct",
  "block",
  "reject",
  "global",
  "pass",
  "compatible",
  "reject-drop",
  "pass-rule",
];

/**
 * Fills the variables of the inbound's remark and joins the parts: user's remark, inbound, node, label. A part that the
 * remark names itself is not appended again. Unknown variables stay as they are.
 */
export function entryName(parts: NameParts): string {
  const values: Readonly<Record<string, string>> = {
    name: parts.userName,
    user: parts.userName,
    inbound: parts.tag,
    node: parts.node,
    label: parts.label,
    protocol: parts.protocol,
    transport: parts.transport,
    security: parts.security,
  };
  const inbound = parts.inbound.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
  const node = parts.inbound.includes("{node}") ? "" : parts.node;
  const label = parts.inbound.includes("{label}") ? "" : parts.label;
  return [parts.userRemark, inbound, node, label]
    .map(oneLine)
    .filter((part) => part !== "")
    .join(" ");
}

/**
 * Gives every repeated, reserved or empty name a number: `A`, `A 2`, `A 3`. Names are compared without regard to case.
 */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(RESERVED);
  return names.map((name) => {
    const base = name === "" ? "entry" : name;
    let unique = base;
    for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${base} ${count}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
