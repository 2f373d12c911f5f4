// The filter of inbounds and outbounds by the template that carries them.
import type { ListFilter } from "../parts/table/Filters.tsx";
import { useWords } from "../words/words.ts";
import { useAll } from "../fragments/use-all.ts";
import { TEMPLATES } from "./templates/templates.tsx";

export function useTemplateFilter(): readonly ListFilter[] {
  const words = useWords("pool").usedBy;
  const templates = useAll(TEMPLATES);
  if (!templates || templates.length === 0) return [];
  const options = templates.map(({ id, name }) => ({ value: String(id), label: name }));
  return [{ kind: "select", name: "template_id", label: words.template, options }];
}
