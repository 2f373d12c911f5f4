// What changes domain fronts and which inbounds they are for. Both sides, `Front.inboundIds` and `Inbound.frontIds`,
// are written in one commit.
import type { Draft } from "../db/index.ts";
import { invalid, notFound, Refusal, rule } from "../http/index.ts";
import { takesFronts } from "./dialect/fronted.ts";
import { parseInboundConfig } from "./dialect/inbound.ts";
import { optional, required, type Shape, type Written } from "./fragments/shape.ts";
import { FrontRows, type FrontRow } from "./front.entity.ts";
import type { FrontUpdateBody } from "./front.schema.ts";
import { InboundRows, type InboundRow } from "./inbound.entity.ts";

/** Fronts of one inbound. Clients get an entry for each. */
const FRONTS_AT_MOST = 20;

export type FrontFields = Written<FrontRow>;

export const FRONT: Shape<FrontRow, FrontFields, FrontUpdateBody> = {
  rows: FrontRows,
  noun: "front",
  nameOf: ({ name }) => name,
  fields: {
    name: required,
    domain: required,
    address: optional(""),
    port: optional(0),
    sni: optional(""),
    path: optional(""),
    remark: optional(""),
    enabled: optional(true),
    // Cloudflare's header. It sets `X-Forwarded-For` too, and lets no client set either.
    clientHeader: optional("CF-Connecting-IP"),
    inboundIds: optional([]),
  },
  others: {},
};

function refuseTooMany(tag: string): never {
  throw new Refusal("conflict", {
    code: "too_many_fronts",
    message: `the inbound ${tag} would have more than ${FRONTS_AT_MOST} fronts`,
  });
}

/** An inbound may be given fronts: 400 naming `field` where no CDN can carry its protocol. */
function refuseUnfit(field: string, { type, tag, config }: Readonly<InboundRow>): void {
  const parsed = parseInboundConfig(type, tag, config);
  if (!parsed.ok || !takesFronts(parsed.inbound)) invalid(field, rule("no_front", tag));
}

/**
 * Writes the other side of `inboundIds`. Inbounds that leave or join are locked. 409 for one that has as many fronts as
 * it may.
 */
export function keepInbounds(draft: Draft, id: number, before: readonly number[], after: readonly number[]): void {
  const moved = [...before.filter((each) => !after.includes(each)), ...after.filter((each) => !before.includes(each))];
  const rows = new Map(draft.findAll(InboundRows, moved).map((row) => [row.id, row]));
  for (const inboundId of moved) {
    const row = rows.get(inboundId);
    if (!after.includes(inboundId)) {
      if (row) draft.update(InboundRows, inboundId, { frontIds: row.frontIds.filter((each) => each !== id) });
      continue;
    }
    if (!row) invalid("inboundIds", rule("absent", "inbound", inboundId));
    refuseUnfit("inboundIds", row);
    if (row.frontIds.length >= FRONTS_AT_MOST) refuseTooMany(row.tag);
    draft.update(InboundRows, inboundId, { frontIds: [...row.frontIds, id] });
  }
}

/** What an inbound's fronts were and are. */
export interface FrontsChange {
  readonly before: { readonly frontIds: readonly number[] };
  readonly fronts: readonly Readonly<FrontRow>[];
}

/** Gives an inbound these fronts, in this order. */
export function setInboundFronts(draft: Draft, inboundId: number, frontIds: readonly number[]): FrontsChange {
  const inbound = draft.find(InboundRows, inboundId) ?? notFound("inbound", inboundId);
  const before = { frontIds: inbound.frontIds };
  if (frontIds.length > 0) refuseUnfit("frontIds", inbound);
  const rows = new Map(
    draft.findAll(FrontRows, [...new Set([...inbound.frontIds, ...frontIds])]).map((row) => [row.id, row]),
  );
  const chosen = frontIds.map((id) => rows.get(id) ?? invalid("frontIds", rule("absent", "front", id)));
  if (frontIds.length > FRONTS_AT_MOST) refuseTooMany(inbound.tag);
  for (const { id, inboundIds } of rows.values()) {
    const carried = frontIds.includes(id);
    if (inboundIds.includes(inboundId) === carried) continue;
    const others = inboundIds.filter((each) => each !== inboundId);
    draft.touch(FrontRows, id, { inboundIds: carried ? [...others, inboundId] : others });
  }
  draft.update(InboundRows, inboundId, { frontIds: [...frontIds] });
  return { before, fronts: chosen.map((row) => draft.find(FrontRows, row.id) ?? row) };
}

/** An inbound is deleted in this draft: it leaves its fronts. */
export function leaveFronts(draft: Draft, { id, frontIds }: Readonly<InboundRow>): void {
  for (const front of draft.findAll(FrontRows, frontIds))
    draft.touch(FrontRows, front.id, { inboundIds: front.inboundIds.filter((each) => each !== id) });
}
