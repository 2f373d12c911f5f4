// The fields of an account in forms, typed by the bodies that the routes take.
import { useMemo } from "react";
import type { z } from "zod";
import type { UserPatch } from "../../accounts/users/users.schema.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import { useFormat } from "../format/use-format.ts";
import { usePlans } from "../plans/plan.ts";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { accessGroup, NO_LIMITS, resetGroup } from "../plans/limit-fields.ts";
import type { User } from "./user.ts";
import { useTemplates } from "../plans/use-templates.ts";

export type UserBody = z.input<typeof UserPatch>;
/** The body for a new account. It can name a plan, and then the plan sets the limits. */
export type NewUserBody = UserBody & { readonly planId?: number; readonly termDays?: number };

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
    inboundIds: user.inboundIds,
    subId: user.subId,
    externalId: user.externalId,
    "contact.telegram_id": user.contact["telegram_id"] ?? "",
    "contact.email": user.contact["email"] ?? "",
    "contact.phone": user.contact["phone"] ?? "",
  };
}

/** The values that a new account begins with: every server that exists, no limits. */
export const NEW_USER: Values = {
  ...NO_LIMITS,
  name: "",
  expiry: 0,
  duration: 0,
  termDays: 0,
  group: "",
  desc: "",
  remark: "",
  externalId: "",
  "contact.telegram_id": "",
  "contact.email": "",
  "contact.phone": "",
};

/** Groups of fields: of a new account (the plan first, the rest folded) or of one that there is. */
export function useUserGroups(fresh: boolean): readonly FieldGroup<NewUserBody>[] {
  const words = useWords("users");
  const format = useFormat();
  const { all: templates } = useTemplates();
  const plans = usePlans(fresh);
  const { plansOnly } = useMe();
  return useMemo(() => {
    const { fields, groups, noLimit } = words;
    const access = accessGroup(words, templates);
    const reset = resetGroup(words, format.locale);
    // A reseller that sells plans only does not write the fields that a plan sets.
    const unplanned = ({ planId }: Values) => !plansOnly && (!fresh || planId === 0);
    const basics: FieldGroup<NewUserBody> = {
      title: groups.basics,
      fields: [
        { name: "name", kind: "text", label: fields.name, help: fields.nameHelp, required: true },
        ...(plans.length === 0 && !(fresh && plansOnly)
          ? []
          : [
              {
                name: "planId",
                kind: "choice",
                label: fields.plan,
                help: plans.length === 0 ? words.renewNoPlan : fields.planHelp,
                required: plansOnly,
                choices: [
                  ...(plansOnly ? [] : [{ value: 0, label: fields.noPlan }]),
                  ...plans.map(({ id, name }) => ({ value: id, label: name })),
                ],
              } as const,
            ]),
        {
          name: "group",
          kind: "text",
          label: fields.group,
          when: ({ planId }) => !fresh || (planId === 0 && !plansOnly),
        },
      ],
    };
    const plan: FieldGroup<NewUserBody> = {
      title: groups.plan,
      fields: [
        { name: "volume", kind: "bytes", label: fields.volume, help: fields.volumeHelp, zero: noLimit },
        { name: "expiry", kind: "date", label: fields.expiry, help: fields.expiryHelp, zero: words.noEnd },
        { name: "duration", kind: "duration", label: fields.duration, help: fields.durationHelp, zero: words.fixedEnd },
        ...(fresh
          ? [
              {
                name: "termDays",
                kind: "number",
                label: fields.termDays,
                help: fields.termDaysHelp,
                zero: fields.termDaysZero,
                when: ({ duration }: Values) => duration === 0,
              } as const,
            ]
          : []),
        { name: "deviceLimit", kind: "number", label: fields.deviceLimit, zero: noLimit },
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
    const said = [plan, ...(templates === undefined ? [] : [access]), reset, limits].map((group) => ({
      ...group,
      when: unplanned,
    }));
    return [basics, ...said, contact].map((group) => (fresh ? group : { ...group, folded: false }));
  }, [words, format.locale, templates, plans, plansOnly, fresh]);
}
