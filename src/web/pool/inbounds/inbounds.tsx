// Inbounds as a kind of fragment. What a deletion breaks is told before it is done.
import { lazy } from "react";
import { freeName, type Kind } from "../../fragments/kind.ts";
import { freePort, inboundDocument, type Inbound } from "../../fragments/records.ts";
import { useFragmentVerbs } from "../../fragments/use-fragment-verbs.tsx";
import { useInbounds } from "../../fragments/use-pool.ts";
import type { Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";

const DeleteInbound = lazy(() => import("./DeleteInbound.tsx"));

export const INBOUNDS: Kind<Inbound> = {
  id: "inbounds",
  list: "/inbounds",
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
    const all = useInbounds();
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
