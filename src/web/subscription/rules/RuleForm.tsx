// One row of the table of formats: what a request must say, and what it is answered with.
import { ActionIcon, Button, Group, Select, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useWords } from "../../words/words.ts";
import type { Rule } from "./rule-trial.ts";

const FORMATS: readonly Rule["format"][] = ["links", "base64", "clash", "singbox", "xray", "html", "info"];
const OPERATORS: readonly Rule["operator"][] = ["startsWith", "endsWith", "contains", "equals"];

export function RuleForm({
  rule,
  problems,
  onChange,
}: {
  readonly rule: Rule;
  /** By field of the row. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (rule: Rule) => void;
}) {
  const words = useWords("subscription").rules;
  const set = (part: Partial<Rule>) => onChange(tidied({ ...rule, ...part }));
  return (
    <Stack gap="sm" py="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <Select
          label={words.header}
          allowDeselect={false}
          value={rule.header}
          data={[
            { value: "user-agent", label: "User-Agent" },
            { value: "accept", label: "Accept" },
          ]}
          onChange={(header) => header !== null && set({ header })}
        />
        <Select
          label={words.operator}
          allowDeselect={false}
          value={rule.operator}
          error={problems["operator"]}
          data={[...OPERATORS, ...(rule.header === "accept" ? (["prefers"] as const) : [])].map((value) => ({
            value,
            label: words.operators[value],
          }))}
          onChange={(operator) => operator !== null && set({ operator })}
        />
        <TextInput
          label={words.value}
          dir="ltr"
          maxLength={100}
          spellCheck={false}
          value={rule.value}
          error={problems["value"]}
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
        {rule.operator === "startsWith" ? (
          <TextInput
            label={words.minVersion}
            description={words.minVersionText}
            inputWrapperOrder={["label", "input", "description", "error"]}
            dir="ltr"
            maxLength={30}
            spellCheck={false}
            value={rule.minVersion ?? ""}
            error={problems["minVersion"]}
            onChange={(event) => set({ minVersion: event.currentTarget.value })}
          />
        ) : null}
        <Select
          label={words.format}
          allowDeselect={false}
          value={rule.format}
          data={FORMATS.map((value) => ({ value, label: formatLabel(value, words.formats) }))}
          onChange={(format) => format !== null && set({ format })}
        />
      </SimpleGrid>
      <Switch
        label={words.not}
        checked={rule.not ?? false}
        onChange={(event) => set({ not: event.currentTarget.checked })}
      />
      <HeaderFields rule={rule} problems={problems} onChange={(headers) => set({ headers })} />
    </Stack>
  );
}

/** The name that links end in, and what it is where the name does not say it. */
function formatLabel(format: string, told: Readonly<Record<string, string>>): string {
  return Object.hasOwn(told, format) ? `${format}: ${told[format] ?? ""}` : format;
}

/** A row says only what differs from saying nothing. */
function tidied({ minVersion, not, headers, ...rule }: Rule): Rule {
  const operator = rule.operator === "prefers" && rule.header !== "accept" ? "contains" : rule.operator;
  return {
    ...rule,
    operator,
    ...(minVersion !== undefined && minVersion !== "" && operator === "startsWith" ? { minVersion } : {}),
    ...(not ? { not } : {}),
    ...(headers && Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

function HeaderFields({
  rule: { headers = {} },
  problems,
  onChange,
}: {
  readonly rule: Rule;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (headers: Record<string, string>) => void;
}) {
  const words = useWords("subscription").rules;
  const rows = Object.entries(headers);
  const put = (place: number, name: string, value: string) =>
    onChange(Object.fromEntries(rows.map((row, index) => (index === place ? [name.toLowerCase(), value] : row))));
  return (
    <div>
      <Text size="sm" fw={500}>
        {words.headers}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {words.headersText}
      </Text>
      <Stack gap="xs">
        {rows.map(([name, value], place) => (
          // A name is being typed: the place tells them apart.
          <Group key={place} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={words.headerName}
              placeholder="routing-enable"
              dir="ltr"
              maxLength={64}
              spellCheck={false}
              style={{ flex: 1 }}
              value={name}
              error={problems[`headers.${name}`]}
              onChange={(event) => put(place, event.currentTarget.value, value)}
            />
            <TextInput
              aria-label={words.headerValue}
              dir="ltr"
              maxLength={1024}
              spellCheck={false}
              style={{ flex: 2 }}
              value={value}
              onChange={(event) => put(place, name, event.currentTarget.value)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={words.headerRemove(name)}
              onClick={() => onChange(Object.fromEntries(rows.filter((_, index) => index !== place)))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            disabled={Object.hasOwn(headers, "")}
            onClick={() => onChange({ ...headers, "": "" })}
          >
            {words.headerAdd}
          </Button>
        </Group>
      </Stack>
    </div>
  );
}
