// Being one of many ids, in a text that is the same however many they are.
import { sql, type Dialect } from "../../db/index.ts";
import type { Condition } from "../../http/index.ts";

/** So many are looked up one by one; more are as quickly found by walking through all. */
export const FEW = 10_000;

/** `column` is code, never input. */
export function idAmong(dialect: Dialect, column: string, ids: readonly number[]): Condition {
  return dialect === "sqlite"
    ? sql<boolean>`${sql.raw(column)} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql<boolean>`${sql.raw(column)} = any(${`{${ids.join(",")}}`}::bigint[])`;
}
