// Outbounds as a kind of fragment. One that a template carries or a route names is not deleted: the panel says which.
import type { z } from "zod";
import type { OutboundView } from "../../../pool/outbound.schema.ts";
import { freeName, type Kind } from "../../fragments/kind.ts";
import { useFragmentVerbs } from "../../fragments/use-fragment-verbs.tsx";
import { useAll } from "../../fragments/use-all.ts";
import type { Json } from "../../parts/form/document-draft.ts";
import type { Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";

export type Outbound = z.output<typeof OutboundView>;

export const OUTBOUNDS: Kind<Outbound> = {
  id: "outbounds",
  list: "/outbounds",
  reads: "pool:read",
  usedIn: ["templates", "nodes"],
  name: ({ tag }) => tag,
  touches: () => ["/templates"],
  useKindWords() {
    const { outbounds, ...common } = useWords("pool");
    return { ...common, ...outbounds };
  },
  useRights() {
    const writes = useCan()("pool:write");
    return { writes, adds: writes };
  },
  documentOf: outboundDocument,
  useCopy() {
    const tags = useAll(OUTBOUNDS)?.map(({ tag }) => tag);
    return tags && ((other) => ({ ...outboundDocument(other), tag: freeName(`${other.tag}-copy`, tags) }));
  },
};

export function useOutboundVerbs(leave?: string): Verbs<Outbound> {
  const { deleteText: text } = useWords("pool").outbounds;
  return useFragmentVerbs(OUTBOUNDS, { leave, remove: () => ({ text }) });
}

/** The fields of an outbound that a person writes. */
function outboundDocument({ tag, type, remark, config }: Outbound): Json {
  return { tag, type, remark, config };
}
