// Templates as a kind of fragment. One that a node runs is not deleted.
import type { z } from "zod";
import type { TemplateView } from "../../../pool/template.schema.ts";
import { freeName, type Kind } from "../../fragments/kind.ts";
import { useFragmentVerbs } from "../../fragments/use-fragment-verbs.tsx";
import { useAll } from "../../fragments/use-all.ts";
import type { Json } from "../../parts/form/document-draft.ts";
import type { Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";

export type Template = z.output<typeof TemplateView>;

export const TEMPLATES: Kind<Template> = {
  id: "templates",
  list: "/templates",
  reads: "templates:read",
  usedIn: ["nodes"],
  name: ({ name }) => name,
  touches: () => ["/users"],
  useKindWords() {
    const { templates, ...common } = useWords("pool");
    return { ...common, ...templates };
  },
  useRights() {
    const writes = useCan()("templates:write");
    return { writes, adds: writes };
  },
  documentOf: templateDocument,
  useCopy() {
    const names = useAll(TEMPLATES)?.map(({ name }) => name);
    return names && ((other) => ({ ...templateDocument(other), name: freeName(`${other.name}-copy`, names) }));
  },
};

/** The fields of a template that a person writes. */
function templateDocument({ name, remark, inboundIds, outboundIds, route, core }: Template): Json {
  return { name, remark, inboundIds, outboundIds, route, core };
}

/** The fields of a node that pages of templates show. */
export interface TemplateNode {
  readonly id: number;
  readonly name: string;
  readonly templateId: number | null;
  readonly online?: number;
}

export function useNodes(): readonly TemplateNode[] | undefined {
  return useAll<TemplateNode>({ list: "/nodes", reads: "nodes:read" });
}

/** Names of the nodes that run a template. */
export function useRunning(): (template: Template) => readonly string[] {
  const nodes = useNodes() ?? [];
  return ({ id }) => nodes.filter(({ templateId }) => templateId === id).map(({ name }) => name);
}

export function useTemplateVerbs(leave?: string): Verbs<Template> {
  const words = useWords("pool").templates;
  const running = useRunning();
  return useFragmentVerbs(TEMPLATES, {
    leave,
    remove(template) {
      const nodes = running(template).join(", ");
      return { text: words.deleteText, ...(nodes !== "" && { disabled: words.running(nodes) }) };
    },
  });
}
