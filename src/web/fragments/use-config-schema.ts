// The rules of a record of the pool: those of its own fields, and in their places those of the fragments that it holds.
import { useMemo } from "react";
import { useApi } from "../api/queries.ts";
import type { Schema } from "../parts/schema/schema.ts";
import { useBodySchema } from "../parts/schema/use-schema.ts";
import { useCan } from "../session/me.ts";

type Collection = "inbounds" | "outbounds" | "clientConfig" | "route" | "core";

/** Undefined until all of it is there. The rules of `config` depend on the record's type. */
export function useRecordSchema(
  operation: "createInbound" | "createOutbound",
  collection: "inbounds" | "outbounds",
  type: string,
): Schema | undefined {
  const body = useBodySchema(operation);
  const known = body?.properties?.["type"]?.enum?.includes(type) ?? false;
  const config = useFragmentSchema(collection, known && type);
  const clientConfig = useFragmentSchema("clientConfig", collection === "inbounds" && "");
  return useMemo(() => {
    // A type that does not exist is a fault of its own.
    if (!body || !known) return body;
    return config && withFragments(body, { config, ...(clientConfig && { clientConfig }) });
  }, [body, known, config, clientConfig]);
}

/** The rules of a template. A person with `pool:read` also gets the rules of its route and of its core block. */
export function useTemplateSchema(): Schema | undefined {
  const body = useBodySchema("createTemplate");
  const route = useFragmentSchema("route", "");
  const core = useFragmentSchema("core", "");
  return useMemo(
    () => body && withFragments(body, { ...(route && { route }), ...(core && { core }) }),
    [body, route, core],
  );
}

/** `type`: false while it is not to be asked for. */
function useFragmentSchema(collection: Collection, type: string | false): Schema | undefined {
  const reads = useCan()("pool:read");
  const query = type === false || type === "" ? { collection } : { collection, type };
  const { data, isPlaceholderData } = useApi<Schema>("/tools/config-schema", query, {
    enabled: type !== false && reads,
  });
  return isPlaceholderData ? undefined : data;
}

function withFragments(body: Schema, fragments: Readonly<Record<string, Schema>>): Schema {
  return { ...body, properties: { ...body.properties, ...fragments } };
}

/** The types that a record may have. */
export function typesIn(schema: Schema | undefined): readonly string[] {
  return (schema?.properties?.["type"]?.enum ?? []).filter((type) => typeof type === "string");
}
