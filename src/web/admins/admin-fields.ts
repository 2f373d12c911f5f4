// The fields of an operator in forms: the account, and what a reseller is given.
import { useMemo } from "react";
import { weekdayNames } from "../format/calendar-names.ts";
import { useFormat } from "../format/use-format.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import { usePlans } from "../plans/plan.ts";
import { useRoles, type Role } from "../roles/role.ts";
import { useWords } from "../words/words.ts";
import type { Admin, AdminBody } from "./admin.ts";

export const NEW_ADMIN: Values = {
  username: "",
  role: "admin",
  password: "",
  volume: 0,
  userLimit: 0,
  expiry: 0,
  period: "",
  periodDay: 0,
  plansOnly: false,
  planIds: [],
  usersReadOnly: false,
};

export function valuesOf(admin: Admin): Values {
  return {
    username: admin.username,
    role: admin.role,
    volume: admin.volume,
    userLimit: admin.userLimit,
    expiry: admin.expiry,
    period: admin.period,
    periodDay: admin.periodDay,
    plansOnly: admin.plansOnly,
    planIds: admin.planIds,
    usersReadOnly: admin.usersReadOnly,
  };
}

type Body = AdminBody & { readonly password?: string };

/** `fresh`: with the first password; `makes`: an empty one is made by the panel. */
export function useAdminGroups(fresh: boolean, makes: boolean): readonly FieldGroup<Body>[] {
  const words = useWords("access");
  const { locale } = useFormat();
  const roles = useRoles();
  const plans = usePlans();
  return useMemo(() => {
    const { fields, groups, periods } = words.admins;
    const resale = (values: Values) => isResale(roles, values["role"]);
    const begins =
      (...some: readonly string[]) =>
      (values: Values) =>
        resale(values) && some.includes(String(values["period"]));
    return [
      {
        title: groups.account,
        fields: [
          {
            name: "username",
            kind: "text",
            code: true,
            label: fields.username,
            help: fields.usernameHelp,
            required: true,
          },
          {
            name: "role",
            kind: "select",
            label: fields.role,
            ...(fresh ? {} : { help: fields.roleHelp }),
            choices: roles.map(({ name, base }) => ({
              value: name,
              label: name === base ? words.tiers[base] : `${name} · ${words.tiers[base]}`,
            })),
          },
          ...(fresh
            ? [
                {
                  name: "password",
                  kind: "secret",
                  label: fields.password,
                  ...(makes ? { help: fields.passwordHelp } : { required: true }),
                } as const,
              ]
            : []),
        ],
      },
      {
        title: groups.limits,
        when: resale,
        fields: [
          { name: "volume", kind: "bytes", label: fields.volume, zero: words.noLimit },
          { name: "userLimit", kind: "number", label: fields.userLimit, zero: words.noLimit },
          { name: "expiry", kind: "date", label: fields.expiry, help: fields.expiryHelp, zero: words.never },
          {
            name: "period",
            kind: "select",
            label: fields.period,
            choices: (["", "weekly", "monthly", "yearly"] as const).map((value) => ({
              value,
              label: periods[value === "" ? "none" : value],
            })),
          },
          {
            name: "periodDay",
            kind: "choice",
            label: fields.periodDay,
            choices: weekdayNames(locale),
            when: begins("weekly"),
          },
          { name: "periodDay", kind: "number", label: fields.periodDay, when: begins("monthly", "yearly") },
        ],
      },
      {
        title: groups.may,
        when: resale,
        fields: [
          { name: "plansOnly", kind: "switch", label: fields.plansOnly, wide: true },
          {
            name: "planIds",
            kind: "many",
            label: fields.planIds,
            choices: plans.map(({ id, name }) => ({ value: id, label: name })),
            wide: true,
            when: ({ plansOnly }) => plansOnly === true,
          },
          { name: "usersReadOnly", kind: "switch", label: fields.usersReadOnly, wide: true },
        ],
      },
    ];
  }, [words, locale, roles, plans, fresh, makes]);
}

function isResale(roles: readonly Role[], name: unknown): boolean {
  return roles.some((role) => role.name === name && role.base === "resale");
}
