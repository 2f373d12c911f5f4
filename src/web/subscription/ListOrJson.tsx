// A setting that is a list: each entry as a form, or all of them as JSON.
import { Button, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";

interface ListOrJsonProps {
  readonly title: string;
  readonly text: string;
  /** What the JSON is called. */
  readonly label: string;
  /** Takes the panel's own list again. */
  readonly reset: string;
  /** What is typed or stored; empty: the panel's own list. */
  readonly value: string;
  /** The panel's own list; undefined while it loads. */
  readonly own: readonly unknown[] | undefined;
  readonly lines: { readonly min: number; readonly max: number };
  readonly writes: boolean;
  /** Why the whole of it was refused. */
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
  /** The list; undefined where what is typed is none. */
  readonly children: ReactNode;
}

export function ListOrJson(props: ListOrJsonProps) {
  const { title, text, label, reset, value, own, lines, writes, problem, onChange, children } = props;
  const words = useWords("subscription");
  const [form, setForm] = useState<"list" | "json">("list");
  const isList = children !== undefined;
  return (
    <Panel
      title={title}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={words.form}
          value={form}
          data={[
            { value: "list", label: words.asList },
            { value: "json", label: "JSON" },
          ]}
          onChange={(next) => setForm(next === "json" ? "json" : "list")}
        />
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {problem === undefined ? null : (
          <Text c="red" size="sm" role="alert">
            {problem}
          </Text>
        )}
        {form === "json" ? (
          <Textarea
            aria-label={label}
            dir="ltr"
            autosize
            minRows={lines.min}
            maxRows={lines.max}
            spellCheck={false}
            disabled={!writes}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
            value={value === "" && own ? JSON.stringify(own, undefined, 2) : value}
            error={isList ? undefined : words.notJson}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : isList ? (
          children
        ) : (
          <Text c="red" size="sm" role="alert">
            {words.notJson}
          </Text>
        )}
        {value === "" || !writes ? null : (
          <Group>
            <Button variant="default" size="sm" onClick={() => onChange("")}>
              {reset}
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
