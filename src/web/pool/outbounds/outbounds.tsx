// Outbounds as a kind of fragment. One that a template carries or a route names is not deleted: the panel says which.
import { freeName, type Kind } from "../../fragments/kind.ts";
import { outboundDocument, type Outbound } from "../../fragments/records.ts";
import { useFragmentVerbs } from "../../fragments/use-fragment-verbs.tsx";
import { useOutbounds } from "../../fragments/use-pool.ts";
import type { Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";

export const OUTBOUNDS: Kind<Outbound> = {
  id: "outbounds",
  list: "/outbounds",
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
    const tags = useOutbounds()?.map(({ tag }) => tag);
    return tags && ((other) => ({ ...outboundDocument(other), tag: freeName(`${other.tag}-copy`, tags) }));
  },
};

export function useOutboundVerbs(leave?: string): Verbs<Outbound> {
  const { deleteText: text } = useWords("pool").outbounds;
  return useFragmentVerbs(OUTBOUNDS, { leave, remove: () => ({ text }) });
}
