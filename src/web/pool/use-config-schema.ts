// The rules of a record whose `config` depends on its type: those of its own fields, and those of the fragment.
import { useMemo } from "react";
import { useApi } from "../api/queries.ts";
import type { Schema } from "../parts/schema/schema.ts";
import { useBodySchema } from "../parts/schema/use-schema.ts";

/** Undefined until all of it is there. */
export function useRecordSchema(
  operation: "createInbound" | "createOutbound",
  collection: "inbounds" | "outbounds",
  type: string,
): Schema | undefined {
  const body = useBodySchema(operation);
  const known = body?.properties?.["type"]?.enum?.includes(type) ?? false;
  const config = useApi<Schema>("/tools/config-schema", { collection, type }, { enabled: known });
  const fragment = config.isPlaceholderData ? undefined : config.data;
  return useMemo(() => {
    if (!body) return undefined;
    // A type that does not exist is a fault of its own.
    if (!known) return body;
    return fragment && { ...body, properties: { ...body.properties, config: fragment } };
  }, [body, known, fragment]);
}

/** The types that a record may have. */
export function typesIn(schema: Schema | undefined): readonly string[] {
  return (schema?.properties?.["type"]?.enum ?? []).filter((type) => typeof type === "string");
}
