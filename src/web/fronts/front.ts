// A front as the API answers it, and what clients get of it.
import type { z } from "zod";
import type { FrontCreate, FrontView } from "../../pool/front.schema.ts";
import type { Values } from "../parts/form/field.ts";
import type { Kind } from "../fragments/kind.ts";
import { useAll } from "../fragments/use-all.ts";
import { useCan, useMayLeadClients } from "../session/me.ts";
import { useWords } from "../words/words.ts";

export type Front = z.output<typeof FrontView>;
export type FrontBody = z.input<typeof FrontCreate>;

export const NEW_FRONT: Values = {
  name: "",
  domain: "",
  address: "",
  port: 0,
  sni: "",
  path: "",
  remark: "",
  enabled: true,
  clientHeader: "CF-Connecting-IP",
  inboundIds: [],
};

export function valuesOf({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields }: Front): Values {
  const { usedBy: _usedBy, ...values } = fields as typeof fields & { readonly usedBy?: unknown };
  return values;
}

export const FRONTS: Kind<Front> = {
  id: "fronts",
  list: "/fronts",
  reads: "pool:read",
  usedIn: ["templates", "nodes"],
  name: ({ name }) => name,
  touches: () => ["/inbounds"],
  useKindWords() {
    const words = useWords("fronts");
    const { created } = useWords("pool");
    const { add: newTitle, none: empty, removed: deleted, removeTitle: deleteTitle } = words;
    return { ...words, created, newTitle, empty, deleted, deleteTitle };
  },
  useRights: () => ({ writes: useCan()("pool:write"), adds: useMayLeadClients() }),
  documentOf: valuesOf,
  useCopy: () => (other) => ({ ...valuesOf(other), name: `${other.name}-copy` }),
};

/** What one inbound has at most. */
export const FRONTS_AT_MOST = 20;

/** The fields of an inbound that pages of fronts show. */
interface FrontedInbound {
  readonly id: number;
  readonly tag: string;
  readonly remark: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export function useInbounds(): readonly FrontedInbound[] | undefined {
  return useAll<FrontedInbound>({ list: "/inbounds", reads: "pool:read" });
}

const FRONTED = ["ws", "httpupgrade", "grpc", "xhttp"];
/** Where CDNs serve plain HTTP. */
const PLAIN_PORTS = [80, 8080, 8880, 2052, 2082, 2086, 2095];

/** Whether an inbound can be behind a front, as far as its fragment says. */
export function canBeFronted({ config }: Pick<FrontedInbound, "config">): boolean {
  const { transport, tls } = config as {
    readonly transport?: { readonly type?: unknown } | null;
    readonly tls?: { readonly reality?: { readonly enabled?: unknown } | null } | null;
  };
  return FRONTED.includes(String(transport?.type)) && tls?.reality?.enabled !== true;
}

export interface Given {
  readonly server: string;
  readonly host: string;
  /** Undefined: no TLS. */
  readonly tls: string | undefined;
  /** Empty: the inbound's own. */
  readonly path: string;
  readonly entry: string;
}

/** What an entry of the front says, from the fields of its form. */
export function givenBy(values: Values): Given {
  const text = (name: string): string => String(values[name] ?? "").trim();
  const address = text("address") || text("domain");
  const port = Number(values["port"]) || 443;
  const path = text("path");
  return {
    server: `${address.includes(":") && !address.startsWith("[") ? `[${address}]` : address}:${port}`,
    host: text("domain"),
    tls: PLAIN_PORTS.includes(port) ? undefined : text("sni") || text("domain"),
    path: path === "" || path.startsWith("/") ? path : `/${path}`,
    entry: text("remark") || text("name"),
  };
}
