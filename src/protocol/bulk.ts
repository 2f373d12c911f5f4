// Lists and tables that the other side fills. They are read item by item and no further than the first wrong one, and
// never when they are longer than they may be: a schema of zod's own would walk on and collect what is wrong with each
// of a hundred thousand rows.
import { z } from "zod";

export interface ListBounds {
  readonly min?: number;
  readonly max: number;
}

/** An array of `item`. */
export function list<T extends z.ZodType>(item: T, { min = 0, max }: ListBounds) {
  return z
    .custom<z.input<T>[]>((value) => Array.isArray(value), "expected a list")
    .transform((values, context): z.output<T>[] => {
      if (values.length < min || values.length > max) {
        context.addIssue({
          code: "custom",
          message: `expected ${min === max ? max : `${min} to ${max}`} items, received ${values.length}`,
        });
        return z.NEVER;
      }
      const items: z.output<T>[] = [];
      for (let index = 0; index < values.length; index++) {
        const parsed = item.safeParse(values[index]);
        if (!parsed.success) {
          context.addIssue(issueBelow(index, parsed.error));
          return z.NEVER;
        }
        items.push(parsed.data);
      }
      return items;
    });
}

/** An object whose keys are data. */
export function table<V extends z.ZodType>(key: z.ZodType<string, string>, value: V, max: number) {
  const isTable = (given: unknown): boolean => typeof given === "object" && given !== null && !Array.isArray(given);
  return z
    .custom<Record<string, z.input<V>>>(isTable, "expected an object")
    .transform((given, context): Record<string, z.output<V>> => {
      const entries: [string, z.output<V>][] = [];
      for (const name in given) {
        if (entries.length === max) {
          context.addIssue({ code: "custom", message: `expected at most ${max} keys` });
          return z.NEVER;
        }
        const [named, parsed] = [key.safeParse(name), value.safeParse(given[name])];
        const wrong = named.error ?? parsed.error;
        if (!named.success || !parsed.success) {
          if (wrong) context.addIssue(issueBelow(name, wrong));
          return z.NEVER;
        }
        entries.push([named.data, parsed.data]);
      }
      // `fromEntries` makes `__proto__` a key like any other.
      return Object.fromEntries(entries);
    });
}

/** The first issue of a part, for the whole. */
export function issueBelow(place: string | number, error: z.ZodError | undefined) {
  const first = error?.issues[0];
  return { code: "custom" as const, path: [place, ...(first?.path ?? [])], message: first?.message ?? "is wrong" };
}
