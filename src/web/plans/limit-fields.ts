// Fields that accounts and plans have in common: the servers, and the periodic reset.
import { monthNames, weekdayNames } from "../format/calendar-names.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import type { Words } from "../words/language.ts";
import type { Templates } from "./use-templates.ts";

interface Shared {
  readonly allTemplates?: boolean | undefined;
  readonly templateIds?: number[] | undefined;
  readonly inboundIds?: number[] | null | undefined;
  readonly autoReset?: boolean | undefined;
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly" | undefined;
  readonly resetDays?: number | undefined;
  readonly resetStartDay?: number | undefined;
  readonly resetStartMonth?: number | undefined;
  readonly resetCalendar?: "" | "jalali" | undefined;
}

/** Every server that there is, no limits, no reset; the reset's fields as they are proposed. */
export const NO_LIMITS = {
  volume: 0,
  speedLimit: 0,
  ipLimit: 0,
  deviceLimit: 0,
  autoReset: false,
  resetPeriod: "monthly",
  resetDays: 30,
  resetStartDay: 1,
  resetStartMonth: 1,
  resetCalendar: "",
  allTemplates: true,
  templateIds: [],
  inboundIds: null,
} as const satisfies Values;

/** Reset fields mean something only beside their switch. */
export const RESETS = ["resetPeriod", "resetDays", "resetStartDay", "resetStartMonth", "resetCalendar"] as const;

export function accessGroup({ groups, fields }: Words["users"], templates: Templates["all"]): FieldGroup<Shared> {
  return {
    title: groups.access,
    fields: [
      { name: "allTemplates", kind: "switch", label: fields.allTemplates, wide: true },
      {
        name: "templateIds",
        kind: "many",
        label: fields.templateIds,
        help: fields.templatesHelp,
        choices: (templates ?? []).map(({ id, name }) => ({ value: id, label: name })),
        wide: true,
        when: (values) => values["allTemplates"] !== true,
      },
      {
        name: "inboundIds",
        kind: "many",
        all: fields.allInbounds,
        label: fields.inboundIds,
        help: fields.inboundsHelp,
        choices: inboundsOf(templates ?? []).map(({ id, name }) => ({ value: id, label: name })),
        wide: true,
      },
    ],
  };
}

/** The inbounds that templates carry, each once, by name. */
export function inboundsOf(templates: NonNullable<Templates["all"]>): readonly { id: number; name: string }[] {
  const all = new Map(
    templates.flatMap(({ inbounds }) =>
      inbounds.map(({ id, tag, remark }) => [id, { id, name: remark === "" ? tag : `${tag} · ${remark}` }] as const),
    ),
  );
  return [...all.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

const resets = (values: Values) => values["autoReset"] === true;
const every =
  (...some: readonly string[]) =>
  (values: Values) =>
    resets(values) && some.includes(String(values["resetPeriod"]));
const yearlyIn = (calendar: string) => (values: Values) =>
  every("yearly")(values) && values["resetCalendar"] === calendar;

/** `locale`: of the names of weekdays and months. */
export function resetGroup({ groups, fields, periods, calendars }: Words["users"], locale: string): FieldGroup<Shared> {
  return {
    title: groups.resets,
    folded: true,
    fields: [
      { name: "autoReset", kind: "switch", label: fields.autoReset, wide: true },
      {
        name: "resetPeriod",
        kind: "select",
        label: fields.resetPeriod,
        choices: [
          { value: "", label: periods.days },
          { value: "weekly", label: periods.weekly },
          { value: "monthly", label: periods.monthly },
          { value: "yearly", label: periods.yearly },
        ],
        when: resets,
      },
      { name: "resetDays", kind: "number", label: fields.resetDays, when: every("") },
      { name: "resetStartDay", kind: "number", label: fields.resetStartDay, when: every("monthly", "yearly") },
      {
        name: "resetStartDay",
        kind: "choice",
        label: fields.resetWeekday,
        choices: weekdayNames(locale),
        when: every("weekly"),
      },
      ...(["", "jalali"] as const).map((calendar): FieldGroup<Shared>["fields"][number] => ({
        name: "resetStartMonth",
        kind: "choice",
        label: fields.resetStartMonth,
        choices: monthNames(locale, calendar === "" ? "gregory" : "persian"),
        when: yearlyIn(calendar),
      })),
      {
        name: "resetCalendar",
        kind: "select",
        label: fields.resetCalendar,
        choices: [
          { value: "", label: calendars.gregory },
          { value: "jalali", label: calendars.jalali },
        ],
        when: every("monthly", "yearly"),
      },
    ],
  };
}
