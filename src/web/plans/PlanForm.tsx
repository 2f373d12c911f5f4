// A plan's fields: what an account gets, how long, where, and what it is called. The routes take a plan as a whole.
import { Button } from "@mantine/core";
import { useMemo } from "react";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import type { RecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { accessGroup, NO_LIMITS, resetGroup } from "./limit-fields.ts";
import { useTemplates } from "./use-templates.ts";
import { useWords } from "../words/words.ts";
import type { Plan, PlanBody } from "./plan.ts";

export const NEW_PLAN: Values = {
  ...NO_LIMITS,
  name: "",
  desc: "",
  days: 30,
  onFirstUse: false,
  group: "",
  namePrefix: "",
  nameSuffix: "",
  sortOrder: 0,
};

export function valuesOf({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields }: Plan): Values {
  return fields;
}

export function PlanForm({ form, fresh = false }: { readonly form: RecordForm; readonly fresh?: boolean }) {
  const words = useWords("plans");
  const parts = useWords("parts");
  return (
    <SchemaForm
      form={form}
      groups={usePlanGroups()}
      {...(fresh
        ? {
            fresh,
            submit: words.create,
            focus: "name",
            more: (
              <Button variant="default" component={Link} href="/plans">
                {parts.cancel}
              </Button>
            ),
          }
        : {})}
    />
  );
}

function usePlanGroups(): readonly FieldGroup<PlanBody>[] {
  const words = useWords("plans");
  const users = useWords("users");
  const { locale } = useFormat();
  const { all: templates } = useTemplates();
  return useMemo(() => {
    const { fields, groups } = words;
    return [
      {
        title: groups.plan,
        fields: [
          { name: "name", kind: "text", label: fields.name, required: true },
          { name: "desc", kind: "text", label: fields.desc },
          {
            name: "volume",
            kind: "bytes",
            label: users.fields.volume,
            help: users.fields.volumeHelp,
            zero: users.noLimit,
          },
          { name: "days", kind: "number", label: fields.days, zero: users.noEnd },
          {
            name: "onFirstUse",
            kind: "switch",
            label: fields.onFirstUse,
            help: fields.onFirstUseHelp,
            wide: true,
            when: ({ days }) => days !== 0,
          },
          { name: "deviceLimit", kind: "number", label: users.fields.deviceLimit, zero: users.noLimit },
          { name: "ipLimit", kind: "number", label: users.fields.ipLimit, zero: users.noLimit },
          {
            name: "speedLimit",
            kind: "rate",
            label: users.fields.speedLimit,
            help: users.fields.speedHelp,
            zero: users.noLimit,
          },
        ],
      },
      ...(templates === undefined ? [] : [accessGroup(users, templates)]),
      { ...resetGroup(users, locale), folded: false },
      {
        title: groups.account,
        fields: [
          { name: "group", kind: "text", label: fields.group, help: fields.groupHelp, wide: true },
          { name: "namePrefix", kind: "text", label: fields.namePrefix },
          { name: "nameSuffix", kind: "text", label: fields.nameSuffix },
        ],
      },
    ];
  }, [words, users, locale, templates]);
}
