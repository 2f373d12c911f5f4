// The rules of a form's fields, as the panel describes them: of one change, not of all of the API.
import { useMemo } from "react";
import { useApi } from "../../api/queries.ts";
import { inlined, type Schema } from "./schema.ts";

interface BodyDescription {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> } }>>
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Media {
  readonly schema?: Schema;
}

/** The body of an operation (`createRole`); undefined until it is there. */
export function useBodySchema(operation: string): Schema | undefined {
  const { data } = useApi<BodyDescription>("/openapi.json", { operation });
  return useMemo(() => {
    const described = Object.values(data?.paths ?? {}).flatMap((methods) => Object.values(methods))[0];
    const schema = described?.requestBody?.content?.["application/json"]?.schema;
    return data && schema && inlined(schema, data.components.schemas);
  }, [data]);
}
