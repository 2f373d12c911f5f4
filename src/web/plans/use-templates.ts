// The templates that a user may belong to, for who may read them.
import type { z } from "zod";
import type { TemplateView } from "../../pool/template.schema.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useCan } from "../session/me.ts";

type Template = z.output<typeof TemplateView>;

export interface Templates {
  /** Undefined while they load, and for who may not read them. */
  readonly all: readonly Template[] | undefined;
  readonly nameOf: (id: number) => string;
}

export function useTemplates(): Templates {
  const can = useCan();
  const { data } = useApi<Listing<Template>>("/templates", { limit: 1000 }, { enabled: can("templates:read") });
  return { all: data?.items, nameOf: (id) => data?.items.find((template) => template.id === id)?.name ?? `#${id}` };
}
