// Inbounds as a kind of fragment. What a deletion breaks is told before it is done.
import { lazy } from "react";
import type { z } from "zod";
import type { InboundView } from "../../../pool/inbound.schema.ts";
import { freeName, type Kind } from "../../fragments/kind.ts";
import { useFragmentVerbs } from "../../fragments/use-fragment-verbs.tsx";
import { useAll } from "../../fragments/use-all.ts";
import type { Json } from "../../parts/form/document-draft.ts";
import type { Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";

export type Inbound = z.output<typeof InboundView>;

const DeleteInbound = lazy(() => import("./DeleteInbound.tsx"));

export const INBOUNDS: Kind<Inbound> = {
  id: "inbounds",
  list: "/inbounds",
  reads: "pool:read",
  usedIn: ["templates", "nodes"],
  name: ({ tag }) => tag,
  touches: (id) => ["/templates", "/fronts", `/inbounds/${id}/fronts`],
  useKindWords() {
    const { inbounds, ...common } = useWords("pool");
    return { ...common, ...inbounds };
  },
  useRights() {
    const writes = useCan()("pool:write");
    return { writes, adds: writes };
  },
  documentOf: inboundDocument,
  useCopy() {
    const all = useAll(INBOUNDS);
    const tags = all?.map(({ tag }) => tag) ?? [];
    return (
      all &&
      ((other) => ({
        ...inboundDocument(other),
        tag: freeName(`${other.tag}-copy`, tags),
        config: { ...other.config, listen_port: freePort(all) },
      }))
    );
  },
};

export function useInboundVerbs(leave?: string): Verbs<Inbound> {
  return useFragmentVerbs(INBOUNDS, {
    leave,
    remove: (inbound) => ({ dialog: (asked) => <DeleteInbound inbound={inbound} asked={asked} /> }),
  });
}

/** The fields of an inbound that a person writes. */
function inboundDocument({
  tag,
  type,
  remark,
  config,
  useNodeCert,
  certificateId,
  clientConfig,
  frontedOnly,
}: Inbound): Json {
  return { tag, type, remark, config, useNodeCert, certificateId, clientConfig, frontedOnly };
}

/** Ports of TLS that networks let through. */
const USUAL_PORTS = [443, 8443, 2053, 2083, 2087, 2096];

/** A port that no inbound listens on: one machine may serve them all. */
export function freePort(inbounds: readonly Pick<Inbound, "config">[]): number {
  const taken = new Set(inbounds.map(({ config }) => config["listen_port"]));
  const usual = USUAL_PORTS.find((port) => !taken.has(port));
  let port = usual ?? 8444;
  while (taken.has(port)) port++;
  return port;
}
