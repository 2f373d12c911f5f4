// The rules of a record: those of its own fields, and in their places those of the fragments that it holds.
import { useMemo } from "react";
import { useAnswers } from "../api/queries.ts";
import type { Schema } from "../parts/schema/schema.ts";
import { useBodySchema } from "../parts/schema/use-schema.ts";
import { useCan } from "../session/me.ts";

/** Where the rules of a kind are. A constant. */
export interface KindRules {
  /** The operation whose body is a record: `createInbound`. */
  readonly operation: string;
  /** Fields that hold fragments, by name. */
  readonly fragments: Readonly<Record<string, FragmentRules>>;
}

interface FragmentRules {
  /** As the panel calls the rules. */
  readonly collection: string;
  /** They depend on the record's type, and no record is checked without them. */
  readonly typed?: true;
}

/** Undefined until all of it is there. Rules of fragments are for whoever may read the pool. */
export function useRecordSchema({ operation, fragments }: KindRules, type: string): Schema | undefined {
  const body = useBodySchema(operation);
  const reads = useCan()("pool:read");
  const known = body?.properties?.["type"]?.enum?.includes(type) ?? false;
  const answers = useAnswers(
    Object.values(fragments).map(({ collection, typed = false }) => ({
      path: "/tools/config-schema",
      query: typed ? { collection, type } : { collection },
      enabled: reads && (!typed || known),
    })),
  );
  return useMemo(() => {
    if (!body) return undefined;
    const rules: Record<string, Schema> = {};
    for (const [index, [name, { typed = false }]] of Object.entries(fragments).entries()) {
      const answer = answers[index] as Schema | undefined;
      if (answer) rules[name] = answer;
      // A type that does not exist is a fault of its own.
      else if (typed && known) return undefined;
    }
    return { ...body, properties: { ...body.properties, ...rules } };
  }, [body, known, fragments, answers]);
}

/** The types that a record may have. */
export function typesIn(schema: Schema | undefined): readonly string[] {
  return (schema?.properties?.["type"]?.enum ?? []).filter((type) => typeof type === "string");
}
