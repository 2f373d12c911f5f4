// Templates as a kind of fragment. One that a node runs is not deleted.
import { freeName, type Kind } from "../../fragments/kind.ts";
import { templateDocument, type Template } from "../../fragments/records.ts";
import { useFragmentVerbs } from "../../fragments/use-fragment-verbs.tsx";
import { useNodes, useTemplates } from "../../fragments/use-pool.ts";
import type { Verbs } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";

export const TEMPLATES: Kind<Template> = {
  id: "templates",
  list: "/templates",
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
    const names = useTemplates()?.map(({ name }) => name);
    return names && ((other) => ({ ...templateDocument(other), name: freeName(`${other.name}-copy`, names) }));
  },
};

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
