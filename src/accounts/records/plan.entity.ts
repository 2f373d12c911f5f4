// Plans: what an account starts with. An account keeps no link to the plan that it was made by.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";
import type { z } from "zod";
import type { limitFields } from "./limits.schema.ts";

type Period = z.output<typeof limitFields.resetPeriod>;
type Calendar = z.output<typeof limitFields.resetCalendar>;

export const PlanRows = entity(
  defineEntity({
    name: "Plan",
    tableName: "plans",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      description: p.text(),
      /** Place among the plans; the id decides between equal ones. */
      sortOrder: p.bigint("number"),
      volume: p.bigint("number"),
      /** Length of a term; 0 = without end. */
      days: p.bigint("number"),
      /** Whether the term begins with the first connection. */
      onFirstUse: p.boolean(),
      speedLimit: p.bigint("number"),
      ipLimit: p.bigint("number"),
      deviceLimit: p.bigint("number"),
      autoReset: p.boolean(),
      resetDays: p.integer(),
      resetPeriod: p.text().$type<Period>(),
      resetStartDay: p.integer(),
      resetStartMonth: p.integer(),
      resetCalendar: p.text().$type<Calendar>(),
      allTemplates: p.boolean(),
      templateIds: p.json<number[]>(),
      inboundIds: p.json<number[]>().nullable(),
      groupLabel: p.text(),
      namePrefix: p.text(),
      nameSuffix: p.text(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
    indexes: [{ properties: ["sortOrder", "id"] }],
  }),
);
export type PlanRow = RowOf<typeof PlanRows>;
