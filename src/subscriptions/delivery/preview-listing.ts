// What a format lists of an account's servers, and what it leaves out and why: inbounds, single ways to them, and parts
// of them that clients are not told (rules subscriptions.preview).
import { oneLine } from "../../lib/one-line.ts";
import type { CoreVersion } from "../documents/cores.ts";
import { placedEntries, repeatedEntries, unlisted, unlistedWays } from "../documents/entries.ts";
import { omissionOf, type EntryFormatName } from "../documents/limits.ts";
import type { RefusedInbound, ServedInbound, SubscriptionUser } from "../documents/model.ts";
import { untoldParts } from "../documents/omitted-parts.ts";
import type { LEFT_OUT_CODES } from "./preview.schema.ts";

/** The longest text about a thing that is left out, in characters. */
const LONGEST = 500;

type LeftOut = (typeof LEFT_OUT_CODES)[number];

/** What is left out, of which way to an inbound. 0: of none in particular. */
interface Left {
  readonly nodeId: number;
  readonly inboundId: number;
  readonly inbound: string;
  readonly code: LeftOut;
  readonly what: string;
}

function sentence(format: string, code: LeftOut, what: string): string {
  switch (code) {
    case "transport":
      return `${format} has no transport ${what}`;
    case "core":
      return `this version of the client has no ${what}`;
    case "core_unnamed":
      return `newer versions of the client have ${what}, and this one does not say which it is`;
    case "type":
      return `no client connects to an inbound of the type ${what}`;
    case "no_port":
      return "the inbound has no port";
    case "no_node":
      return "no node that is switched on serves the inbound";
    case "fronted_only":
      return "the inbound is listed by its fronts alone";
    case "loopback":
      return "the inbound listens on loopback, and nothing leads to it";
    case "front_off":
      return `the front ${what} is switched off`;
    case "front_unfit":
      return `the front ${what} cannot carry the inbound's transport`;
    case "refused":
      return `an older version stored what this one refuses: ${what}`;
    case "refused_part":
      return `an older version stored what this one refuses, and the client is not told it: ${what}`;
    case "part":
      return `the entry is there without what this client is not told: ${what}`;
    case "same":
      return "another entry is the same";
    default:
      return `${format} has no ${what}`;
  }
}

/** The inbounds of an account. */
interface Inbounds {
  readonly inbounds: readonly ServedInbound[];
  readonly refused: readonly RefusedInbound[];
}

/** What reads the document. */
interface Reader {
  readonly format: EntryFormatName;
  readonly core: CoreVersion;
}

/** `named`: nodes are called by their names. */
export function listing(
  user: SubscriptionUser,
  { inbounds, refused }: Inbounds,
  { format, core }: Reader,
  named: boolean,
) {
  const templates = new Map(inbounds.map(({ id, client }) => [id, client.tls]));
  const names = new Map(named ? inbounds.flatMap(({ nodes }) => nodes.map(({ id, name }) => [id, name])) : []);
  const nodeOf = (nodeId: number) => ({ nodeId, node: names.get(nodeId) ?? null });
  const placed = placedEntries(user, inbounds).map(({ entry, origin }) => ({
    entry,
    origin,
    why: omissionOf(format, entry, core),
  }));
  const entries = placed
    .filter(({ why }) => why === undefined)
    .map(({ entry, origin: { nodeId, inboundId, inbound, frontId, front } }) => ({
      remark: entry.name,
      ...nodeOf(nodeId),
      inboundId,
      inbound,
      frontId: frontId === 0 ? null : frontId,
      front: front === "" ? null : front,
    }));
  const left = placed.flatMap(({ origin: { nodeId, inboundId, inbound }, why }): Left[] =>
    why ? [{ nodeId, inboundId, inbound, ...why }] : [],
  );
  const parts = placed.flatMap(({ entry, origin: { nodeId, inboundId, inbound, frontId }, why }): Left[] => {
    // A template of TLS for what clients reach without it.
    const idle = frontId === 0 && !entry.tls && templates.get(inboundId)?.enabled !== false && templates.get(inboundId);
    const untold = why ? [] : [...(idle ? ["clientConfig.tls"] : []), ...untoldParts(format, entry, core)];
    return untold.length === 0 ? [] : [{ nodeId, inboundId, inbound, code: "part", what: untold.join(", ") }];
  });
  const same = repeatedEntries(user, inbounds).map(({ nodeId, inboundId, inbound, front }): Left => ({
    nodeId,
    inboundId,
    inbound,
    code: "same",
    what: front,
  }));
  const omitted = [...left, ...same, ...ofInbounds(inbounds), ...ofRefused(refused), ...parts];
  return {
    entries,
    omitted: omitted.map(({ nodeId, ...one }) => {
      // Names of fronts and of fields may be of an older version, or a stranger's.
      const what = oneLine(one.what).slice(0, LONGEST);
      return { ...nodeOf(nodeId), ...one, what, text: sentence(format, one.code, what) };
    }),
  };
}

/** What no format lists of inbounds. */
function ofInbounds(inbounds: readonly ServedInbound[]): Left[] {
  const nowhere = inbounds.flatMap((inbound): Left[] => {
    const code = unlisted(inbound);
    const what = code === "type" ? inbound.dialect.type : "";
    return code ? [{ nodeId: 0, inboundId: inbound.id, inbound: inbound.tag, code, what }] : [];
  });
  const listed = inbounds.filter((inbound) => !unlisted(inbound));
  const ways = listed.flatMap((inbound) =>
    unlistedWays(inbound).map(({ nodeId, code, front }): Left => ({
      nodeId,
      inboundId: inbound.id,
      inbound: inbound.tag,
      code,
      what: front,
    })),
  );
  const untold = listed.flatMap(({ id, tag, untold: fields }): Left[] =>
    fields.length === 0
      ? []
      : [{ nodeId: 0, inboundId: id, inbound: tag, code: "refused_part", what: fields.join(", ") }],
  );
  return [...nowhere, ...ways, ...untold];
}

function ofRefused(refused: readonly RefusedInbound[]): Left[] {
  return refused.map(({ id, tag, fields }) => ({
    nodeId: 0,
    inboundId: id,
    inbound: tag,
    code: "refused",
    what: fields.join(", "),
  }));
}
