// The templates that a node may be given, for operators who may see them.
import { useMemo } from "react";
import type { z } from "zod";
import { useApi, type Listing } from "../api/queries.ts";
import type { TemplateView } from "../../pool/template.schema.ts";
import { useCan } from "../session/me.ts";

export type Template = z.output<typeof TemplateView>;

/** There are few templates; a thousand is what one answer carries. */
export function useTemplates(): { readonly data: readonly Template[] | undefined } {
  const can = useCan();
  const { data } = useApi<Listing<Template>>(
    "/templates",
    { limit: 1000, sort: "name" },
    { enabled: can("templates:read") },
  );
  return useMemo(() => ({ data: data?.items }), [data]);
}
