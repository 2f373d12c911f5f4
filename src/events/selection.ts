// Which events a reader of the log or of the live feed wants: one name, one record (rules events.log).
import { z } from "zod";
import { sql } from "../db/index.ts";
import { type Condition, matching, rule } from "../http/index.ts";
import type { EventRow } from "../runtime/index.ts";

/** The same in the list, behind a cursor and in the feed. */
export const SelectionQuery = z.object({
  event: z.string().max(64).optional(),
  /** `user:7`: the record that an event is about, as its `subject` has it. */
  entity: z
    .string()
    .max(320)
    .check(matching(/^[a-z]+:.+$/, rule("entity")))
    .optional(),
});

export type Selection = Pick<z.output<typeof SelectionQuery>, "event" | "entity">;

export function selectedSql({ event, entity }: Selection): Condition[] {
  return [
    ...(event === undefined ? [] : [sql<boolean>`event = ${event}`]),
    ...(entity === undefined ? [] : [sql<boolean>`subject = ${entity}`]),
  ];
}

export function isSelected({ event, entity }: Selection, row: Pick<EventRow, "event" | "subject">): boolean {
  return (event ?? row.event) === row.event && (entity ?? row.subject) === row.subject;
}
