// The form of a front, and beside it what clients get of what is typed.
import { Text } from "@mantine/core";
import { useMemo } from "react";
import type { FieldGroup } from "../parts/form/field.ts";
import type { RecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { Code, Name } from "../parts/Names.tsx";
import { useCan, useMayLeadClients } from "../session/me.ts";
import { Facts, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { canBeFronted, givenBy, useInbounds, type FrontBody } from "./front.ts";

export function FrontForm({ form, fresh = false }: { readonly form: RecordForm; readonly fresh?: boolean }) {
  const words = useWords("fronts");
  return (
    <SchemaForm
      form={form}
      groups={useGroups(form)}
      {...(fresh ? { fresh, submit: words.create, focus: "name" } : {})}
    />
  );
}

function useGroups(form: RecordForm): readonly FieldGroup<FrontBody>[] {
  const words = useWords("fronts");
  const inbounds = useInbounds();
  const leads = useMayLeadClients();
  const chosen = form.values["inboundIds"];
  return useMemo(() => {
    const { fields, help, groups } = words;
    const carried: readonly unknown[] = Array.isArray(chosen) ? chosen : [];
    const choices = (inbounds ?? [])
      .filter((inbound) => canBeFronted(inbound) || carried.includes(inbound.id))
      .map(({ id, tag, remark }) => ({ value: id, label: remark === "" ? tag : `${tag} · ${remark}` }));
    const all: readonly (FieldGroup<FrontBody> | false)[] = [
      {
        title: groups.front,
        fields: [
          { name: "name", kind: "text", label: fields.name, required: true },
          { name: "remark", kind: "text", label: fields.remark, help: help.remark, placeholder: words.ownName },
          ...(leads
            ? [
                {
                  name: "inboundIds",
                  kind: "many",
                  label: fields.inboundIds,
                  help: help.inboundIds,
                  choices,
                  wide: true,
                } as const,
              ]
            : []),
          { name: "enabled", kind: "switch", label: fields.enabled, wide: true },
        ],
      },
      leads && {
        title: groups.reaches,
        fields: [
          { name: "domain", kind: "text", code: true, label: fields.domain, help: help.domain, required: true },
          {
            name: "address",
            kind: "text",
            code: true,
            label: fields.address,
            help: help.address,
            placeholder: words.asDomain,
          },
          { name: "port", kind: "number", code: true, label: fields.port, zero: words.usualPort },
          { name: "sni", kind: "text", code: true, label: fields.sni, help: help.sni, placeholder: words.asDomain },
          {
            name: "path",
            kind: "text",
            code: true,
            label: fields.path,
            help: help.path,
            placeholder: words.ownPath,
            wide: true,
          },
        ],
      },
      {
        title: groups.more,
        folded: true,
        fields: [
          {
            name: "clientHeader",
            kind: "text",
            code: true,
            label: fields.clientHeader,
            help: help.clientHeader,
            placeholder: words.nobody,
            wide: true,
          },
        ],
      },
    ];
    return all.filter((group) => group !== false);
  }, [words, inbounds, chosen, leads]);
}

/** What clients get of the front as the form has it now. */
export function Gives({ form }: { readonly form: RecordForm }) {
  const words = useWords("fronts").gives;
  const parts = useWords("parts");
  const writes = useCan()("pool:write");
  const leads = useMayLeadClients();
  const { values } = form;
  const given = givenBy(values);
  const inbounds = values["inboundIds"];
  const nothing =
    values["enabled"] === false
      ? words.off
      : Array.isArray(inbounds) && inbounds.length === 0
        ? words.nowhere
        : undefined;
  return (
    <Panel title={words.title}>
      {writes && !leads ? (
        <Text size="sm" c="dimmed" mb="sm">
          {parts.leads}
        </Text>
      ) : null}
      {nothing ?? (
        <Facts
          items={[
            { label: words.server, value: given.host === "" ? null : <Code>{given.server}</Code> },
            { label: words.host, value: given.host === "" ? null : <Code>{given.host}</Code> },
            { label: words.tls, value: given.tls === undefined ? words.noTls : given.tls && <Code>{given.tls}</Code> },
            { label: words.path, value: given.path === "" ? null : <Code>{given.path}</Code> },
            { label: words.entry, value: given.entry === "" ? null : <Name>{given.entry}</Name> },
          ]}
        />
      )}
    </Panel>
  );
}
