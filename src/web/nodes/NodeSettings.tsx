// What a person may change of a node. The address of one that is switched on changes by a move alone.
import { Button, Group, Stack, Text } from "@mantine/core";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { monthNames, weekdayNames } from "../format/calendar-names.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { Code } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useMaySendAccounts } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import type { Node, NodeBody } from "./node.ts";
import { NODES } from "./use-node-verbs.tsx";
import { useTemplates } from "./use-templates.ts";

export default function NodeSettings({ node, onMove }: { readonly node: Node; readonly onMove: () => void }) {
  const words = useWords("nodes");
  const { fields } = words;
  const settle = useSettle(NODES);
  const form = useRecordForm<NodeBody, Node>({
    draft: `nodes/${node.id}`,
    initial: valuesOf(node),
    version: { read: node.updatedAt, valuesOf },
    save: (changed) => call("PUT", `/nodes/${node.id}`, { body: changed }),
    onDone: (saved) => settle(node, { said: words.done.saved(saved.name) }),
  });
  const sends = useMaySendAccounts();
  const groups = useGroups(form.values, { address: sends && !node.enabled, others: sends });
  return (
    <Stack maw={860}>
      {node.enabled || !sends ? (
        <Panel title={words.record.address}>
          <Group justify="space-between" gap="sm">
            <div>
              <Code>{`${node.address}:${node.port}`}</Code>
              {sends || node.linkAddress === "" ? null : (
                <>
                  {" "}
                  <Code>{node.linkAddress}</Code>
                </>
              )}
              <Text size="sm" c="dimmed">
                {sends ? fields.addressLocked : words.needsUsers}
              </Text>
            </div>
            {sends ? (
              <Button variant="default" onClick={onMove}>
                {words.verbs.move}…
              </Button>
            ) : null}
          </Group>
        </Panel>
      ) : null}
      <SchemaForm form={form} groups={groups} />
    </Stack>
  );
}

/** `may`: which of the fields are offered that say who is sent the accounts, and where clients connect. */
function useGroups(
  values: Values,
  may: { readonly address: boolean; readonly others: boolean },
): readonly FieldGroup<NodeBody>[] {
  const { fields } = useWords("nodes");
  const { locale } = useFormat();
  const templates = useTemplates().data;
  const period = values["limitPeriod"];
  const limited = (now: Values) => now["limitBytes"] !== 0;
  return [
    {
      title: fields.groups.identity,
      fields: [
        { name: "name", kind: "text", label: fields.name, required: true },
        { name: "remark", kind: "text", label: fields.remark },
        ...(may.address
          ? [
              {
                name: "address",
                kind: "text",
                code: true,
                label: fields.address,
                help: fields.addressHelp,
                required: true,
              } as const,
              { name: "port", kind: "number", label: fields.port, help: fields.portHelp, required: true } as const,
            ]
          : []),
        ...(may.others
          ? [
              {
                name: "linkAddress",
                kind: "text",
                code: true,
                wide: true,
                label: fields.linkAddress,
                help: fields.linkAddressHelp,
              } as const,
            ]
          : []),
      ],
    },
    {
      title: fields.groups.serves,
      fields: [
        ...(may.others
          ? [
              {
                name: "templateId",
                kind: "choice",
                label: fields.template,
                help: fields.templateHelp,
                choices: [
                  { value: 0, label: fields.noTemplate },
                  ...(templates ?? []).map(({ id, name }) => ({ value: id, label: name })),
                ],
              } as const,
            ]
          : []),
        { name: "multiplier", kind: "number", decimals: true, label: fields.multiplier, help: fields.multiplierHelp },
      ],
    },
    {
      title: fields.groups.limit,
      fields: [
        {
          name: "limitBytes",
          kind: "bytes",
          label: fields.limitBytes,
          help: fields.limitBytesHelp,
          zero: fields.noLimit,
        },
        {
          name: "limitPeriod",
          kind: "select",
          label: fields.limitPeriod,
          when: limited,
          choices: (["", "weekly", "monthly", "yearly"] as const).map((value) => ({
            value,
            label: fields.periods[value === "" ? "none" : value],
          })),
        },
        period === "weekly"
          ? {
              name: "limitStartDay",
              kind: "choice",
              label: fields.limitStartDay,
              when: limited,
              choices: weekdayNames(locale),
            }
          : {
              name: "limitStartDay",
              kind: "number",
              label: fields.limitStartDay,
              help: fields.limitStartDayHelp,
              when: (now) => limited(now) && period !== "",
            },
        {
          name: "limitStartMonth",
          kind: "choice",
          label: fields.limitStartMonth,
          when: (now) => limited(now) && period === "yearly",
          choices: monthNames(locale, "gregory"),
        },
      ],
    },
  ];
}

function valuesOf(node: Node): Values {
  return {
    name: node.name,
    remark: node.remark,
    address: node.address,
    port: node.port,
    linkAddress: node.linkAddress,
    templateId: node.templateId ?? 0,
    multiplier: node.multiplier,
    limitBytes: node.limitBytes,
    limitPeriod: node.limitPeriod,
    limitStartDay: node.limitStartDay,
    limitStartMonth: node.limitStartMonth,
  };
}
