// Names of entries: built from remarks, cleaned of what breaks clients, and unique, since one repeated tag makes
// sing-box refuse a file.
import { oneLine } from "../../lib/one-line.ts";

/** What a name says of an account's state, as text: it changes with traffic and time. */
export const FIGURES = ["left", "used", "total", "days", "expires"] as const;
export type Figure = (typeof FIGURES)[number];

/** What a name is built from; empty parts are left out. */
export interface NameParts {
  readonly userRemark: string;
  /**
   * The inbound's remark, or its tag. May hold variables: {name} or {user} (the account's name), {inbound} (the tag),
   * {node}, {label}, {protocol}, {transport}, {security}, and figures of the account.
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

/** What the panel says of all names. */
export interface Naming {
  /**
   * Empty: the parts one after the other. Else the whole name, with the variables of a remark; here {inbound} is the
   * inbound's remark, {tag} its tag and {remark} the account's remark.
   */
  readonly template: string;
  /** A figure of the account. */
  readonly figure: (name: Figure) => string;
}

/** Names of accounts without figures, in the panel's usual order. */
export const PLAIN_NAMING: Naming = { template: "", figure: () => "" };

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

/** Characters that a name may have: what is longer is cut by clients, each in its own place. */
const LENGTH = 200;

/** Variables that say something of the account, without its remark. */
const OF_ACCOUNT = new RegExp(`\\{(?:name|user|${FIGURES.join("|")})\\}`);

/** Whether a remark or a template of names says something of the account. */
export function namesAccount(text: string): boolean {
  return OF_ACCOUNT.test(text);
}

function isFigure(name: string): name is Figure {
  return FIGURES.some((figure) => figure === name);
}

/** Unknown variables stay as they are. A value that looks like a variable is not read again. */
function fill(text: string, values: Readonly<Record<string, string>>, figure: Naming["figure"]): string {
  if (!text.includes("{")) return text;
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    if (isFigure(name)) return figure(name);
    return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
  });
}

/**
 * Fills the variables of the inbound's remark and joins the parts: user's remark, inbound, node, label. A part that the
 * remark names itself is not appended again. A template of the panel names what it wants of them; the user's remark
 * stays in front where it does not name that.
 */
export function entryName(parts: NameParts, { template, figure }: Naming = PLAIN_NAMING): string {
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
  const inbound = fill(parts.inbound, values, figure);
  const { userRemark } = parts;
  if (template !== "") {
    const whole = fill(template, { ...values, inbound, tag: parts.tag, remark: userRemark }, figure);
    return joined([template.includes("{remark}") ? "" : userRemark, whole]);
  }
  const node = parts.inbound.includes("{node}") ? "" : parts.node;
  const label = parts.inbound.includes("{label}") ? "" : parts.label;
  return joined([userRemark, inbound, node, label]);
}

/** Variables that are empty for an entry leave no gap. */
function joined(parts: readonly string[]): string {
  const text = parts
    .map(oneLine)
    .filter((part) => part !== "")
    .join(" ");
  return text.length <= LENGTH ? text : oneLine(text.slice(0, LENGTH));
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
