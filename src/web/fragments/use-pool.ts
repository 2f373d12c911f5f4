// All records of the pool, for choices and for what uses what. There are few: a thousand is what one answer carries.
import type { QueryValue } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";
import type { Inbound, Outbound, PoolNode, Template } from "./records.ts";

const ALL: Readonly<Record<string, QueryValue>> = { limit: 1000 };

/** Undefined while they load, and for whoever may not read them. */
export function useInbounds(): readonly Inbound[] | undefined {
  return useApi<Listing<Inbound>>("/inbounds", ALL, { enabled: useCan()("pool:read") }).data?.items;
}

export function useOutbounds(): readonly Outbound[] | undefined {
  return useApi<Listing<Outbound>>("/outbounds", ALL, { enabled: useCan()("pool:read") }).data?.items;
}

export function useTemplates(): readonly Template[] | undefined {
  return useApi<Listing<Template>>("/templates", ALL, { enabled: useCan()("templates:read") }).data?.items;
}

export function useNodes(): readonly PoolNode[] | undefined {
  return useApi<Listing<PoolNode>>("/nodes", ALL, { enabled: useCan()("nodes:read") }).data?.items;
}
