// A role's fields and its permissions; the routes take it as a whole.
import { Alert, Button, Text } from "@mantine/core";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import type { RecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { TIERS, type Role, type RoleBody } from "./role.ts";
import { ScopeMatrix } from "./ScopeMatrix.tsx";

export const NEW_ROLE: Values = {
  name: "",
  base: "admin",
  description: "",
  scopes: [],
  userLimit: 0,
  maxDeviceLimit: 0,
  maxDuration: 0,
};

export function valuesOf({ name, base, description, scopes, userLimit, maxDeviceLimit, maxDuration }: Role): Values {
  return { name, base, description, scopes, userLimit, maxDeviceLimit, maxDuration };
}

interface RoleFormProps {
  readonly form: RecordForm;
  /** Accounts that hold it, who are signed out by a save. */
  readonly holders: number;
  readonly fresh?: boolean;
}

export function RoleForm({ form, holders, fresh = false }: RoleFormProps) {
  const words = useWords("access");
  const parts = useWords("parts");
  const { roles } = words;
  const format = useFormat();
  const tier = TIERS.find((each) => each === form.values["base"]) ?? "admin";
  const granted = form.values["scopes"];
  const problem = form.problems["scopes"];
  const groups: readonly FieldGroup<RoleBody>[] = [
    {
      title: words.admins.role,
      fields: [
        { name: "name", kind: "text", label: words.name, required: true },
        {
          name: "base",
          kind: "select",
          label: roles.tier,
          help: words.tierTexts[tier],
          choices: TIERS.map((value) => ({ value, label: words.tiers[value] })),
        },
        { name: "description", kind: "text", label: roles.note, wide: true },
      ],
    },
    {
      title: roles.limits,
      folded: true,
      fields: [
        { name: "userLimit", kind: "number", label: roles.userLimit, zero: words.noLimit },
        { name: "maxDeviceLimit", kind: "number", label: roles.maxDeviceLimit, zero: words.noLimit },
        { name: "maxDuration", kind: "duration", label: roles.maxDuration, zero: words.noLimit },
      ],
    },
  ];
  return (
    <SchemaForm
      form={form}
      groups={groups}
      {...(fresh
        ? {
            fresh,
            submit: roles.submit,
            focus: "name",
            more: (
              <Button variant="default" component={Link} href="/roles">
                {parts.cancel}
              </Button>
            ),
          }
        : {})}
      rest={{
        label: (name) => (name === "scopes" ? words.scopes.title : undefined),
        show: () => (
          <>
            <Panel title={words.scopes.title}>
              {problem === undefined ? null : (
                <Text size="sm" c="var(--tone-failed)" role="alert" mb="xs">
                  {problem}
                </Text>
              )}
              <ScopeMatrix
                granted={Array.isArray(granted) ? granted.map(String) : []}
                tier={tier}
                onChange={(next) => form.set("scopes", next)}
              />
            </Panel>
            {form.dirty && holders > 0 ? (
              <Alert color="yellow" variant="light" p="xs">
                {roles.signsOut(holders, format.number(holders))}
              </Alert>
            ) : null}
          </>
        ),
      }}
    />
  );
}
