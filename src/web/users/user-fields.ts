// The fields of an account in forms, typed by the bodies that the routes take.
import { useMemo } from "react";
import type { z } from "zod";
import type { UserPatch } from "../../accounts/users.schema.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import { monthNames, weekdayNames } from "../format/calendar-names.ts";
import { useFormat } from "../format/use-format.ts";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import { useTemplates } from "./use-templates.ts";

export type UserBody = z.input<typeof UserPatch>;

/** What a record holds of the form's fields. */
export function valuesOf(user: User): Values {
  return {
    name: user.name,
    volume: user.volume,
    expiry: user.expiry,
    duration: user.duration,
    group: user.group,
    desc: user.desc,
    remark: user.remark,
    speedLimit: user.speedLimit,
    ipLimit: user.ipLimit,
    deviceLimit: user.deviceLimit,
    autoReset: user.autoReset,
    resetPeriod: user.resetPeriod,
    resetDays: user.resetDays,
    resetStartDay: user.resetStartDay,
    resetStartMonth: user.resetStartMonth,
    resetCalendar: user.resetCalendar,
    allTemplates: user.allTemplates,
    templateIds: user.templateIds,
    subId: user.subId,
    externalId: user.externalId,
    "contact.telegram_id": user.contact["telegram_id"] ?? "",
    "contact.email": user.contact["email"] ?? "",
    "contact.phone": user.contact["phone"] ?? "",
  };
}

/** Of an account that is not there yet: every server that there is, no limits. */
export const NEW_USER: Values = {
  name: "",
  volume: 0,
  expiry: 0,
  duration: 0,
  group: "",
  desc: "",
  remark: "",
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
  externalId: "",
  "contact.telegram_id": "",
  "contact.email": "",
  "contact.phone": "",
};

/** Groups of fields: of a new account (the plan first, the rest folded) or of one that there is. */
export function useUserGroups(fresh: boolean): readonly FieldGroup<UserBody>[] {
  const words = useWords("users");
  const format = useFormat();
  const { all: templates } = useTemplates();
  return useMemo(() => {
    const { fields, groups, noLimit, periods, calendars } = words;
    const weekdays = weekdayNames(format.locale);
    const resets = (values: Values) => values["autoReset"] === true;
    const every =
      (...some: readonly string[]) =>
      (values: Values) =>
        resets(values) && some.includes(String(values["resetPeriod"]));
    const yearlyIn = (calendar: string) => (values: Values) =>
      every("yearly")(values) && values["resetCalendar"] === calendar;
    const access: FieldGroup<UserBody> = {
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
      ],
    };
    const basics: FieldGroup<UserBody> = {
      title: groups.basics,
      fields: [
        { name: "name", kind: "text", label: fields.name, help: fields.nameHelp, required: true },
        { name: "group", kind: "text", label: fields.group },
      ],
    };
    const plan: FieldGroup<UserBody> = {
      title: groups.plan,
      fields: [
        { name: "volume", kind: "bytes", label: fields.volume, help: fields.volumeHelp, zero: noLimit },
        { name: "expiry", kind: "date", label: fields.expiry, help: fields.expiryHelp, zero: words.noEnd },
        { name: "duration", kind: "duration", label: fields.duration, help: fields.durationHelp, zero: words.fixedEnd },
        { name: "deviceLimit", kind: "number", label: fields.deviceLimit, zero: noLimit },
      ],
    };
    const reset: FieldGroup<UserBody> = {
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
        { name: "resetStartDay", kind: "choice", label: fields.resetWeekday, choices: weekdays, when: every("weekly") },
        ...(["", "jalali"] as const).map((calendar): FieldGroup<UserBody>["fields"][number] => ({
          name: "resetStartMonth",
          kind: "choice",
          label: fields.resetStartMonth,
          choices: monthNames(format.locale, calendar === "" ? "gregory" : "persian"),
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
    const limits: FieldGroup<UserBody> = {
      title: groups.limits,
      folded: true,
      fields: [
        { name: "speedLimit", kind: "rate", label: fields.speedLimit, help: fields.speedHelp, zero: noLimit },
        { name: "ipLimit", kind: "number", label: fields.ipLimit, zero: noLimit },
      ],
    };
    const contact: FieldGroup<UserBody> = {
      title: groups.contact,
      folded: true,
      fields: [
        { name: "contact.telegram_id", kind: "text", label: fields.telegram, placeholder: "@name", code: true },
        { name: "contact.email", kind: "text", label: fields.email, code: true },
        { name: "contact.phone", kind: "text", label: fields.phone, code: true },
        { name: "externalId", kind: "text", label: fields.externalId, help: fields.externalIdHelp, code: true },
        { name: "remark", kind: "text", label: fields.remark, help: fields.remarkHelp },
        { name: "desc", kind: "area", label: fields.desc },
        ...(fresh
          ? []
          : [
              {
                name: "subId",
                kind: "text",
                label: fields.subId,
                help: fields.subIdHelp,
                code: true,
                wide: true,
              } as const,
            ]),
      ],
    };
    return [basics, plan, ...(templates === undefined ? [] : [access]), reset, limits, contact].map((group) =>
      fresh ? group : { ...group, folded: false },
    );
  }, [words, format.locale, templates, fresh]);
}
