// Domain fronts on the wire.
import { z } from "zod";
import { count, line, matching, pathId, queryBoolean, rule, unixTime, version } from "../http/index.ts";
import { UsedBy } from "./used-by.schema.ts";

const HOST = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?$/u;
const IPV6 = z.regexes.ipv6.source.slice(1, -1);
/** A colon is part of an IPv6 address alone, which may have brackets: a port has a field of its own. */
const ADDRESS = new RegExp(`^$|${HOST.source}|^(?:${IPV6})$|^\\[(?:${IPV6})\\]$`, "u");
const HEADER = /^(?:[a-z][a-z0-9-]{0,63})?$/i;

/** Ids in the order in which they are wanted; repeats are dropped. */
const ids = z
  .array(count.min(1))
  .max(1000)
  .transform((all) => [...new Set(all)]);

const fields = {
  name: line(128).min(1),
  domain: line(253).check(matching(HOST, rule("host"))),
  address: line(253).check(matching(ADDRESS, rule("host"))),
  port: z.int().min(0).max(65_535),
  sni: line(253).check(matching(new RegExp(`^$|${HOST.source}`, "u"), rule("host"))),
  path: line(1000)
    .check(matching(/^([^\s%]|%[0-9A-Fa-f]{2})*$/u, rule("unfit")))
    .transform((path) => (path === "" || path.startsWith("/") ? path : `/${path}`)),
  remark: line(256),
  enabled: z.boolean(),
  clientHeader: line(64).check(matching(HEADER, rule("unfit"))),
  inboundIds: ids,
};

/** Body of a PUT: absent fields keep their value. */
export const FrontUpdate = z.object({ ...z.object(fields).partial().shape, version }).meta({ id: "FrontUpdate" });
export type FrontUpdateBody = z.output<typeof FrontUpdate>;

/** Body of a create. */
export const FrontCreate = z
  .object({ ...z.object(fields).partial().shape, name: fields.name, domain: fields.domain })
  .meta({ id: "FrontCreate" });
export type FrontCreateBody = z.output<typeof FrontCreate>;

export const FrontFilters = z.object({ inbound_id: pathId.optional(), enabled: queryBoolean.optional() });

/** A front as it is answered. */
export const FrontView = z
  .object({
    id: count,
    name: z.string(),
    domain: z.string(),
    address: z.string(),
    port: count,
    sni: z.string(),
    path: z.string(),
    remark: z.string(),
    enabled: z.boolean(),
    clientHeader: z.string(),
    inboundIds: z.array(count),
    createdAt: unixTime,
    updatedAt: unixTime,
  })
  .meta({ id: "Front" });
/** The same with what uses it. */
export const FrontRecord = FrontView.extend({ usedBy: UsedBy }).meta({ id: "FrontRecord" });

/** The fronts of an inbound, in the order of the entries that they give. */
export const InboundFronts = z.object({ frontIds: ids });
