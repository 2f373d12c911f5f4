// The apps that the subscription page offers, as data.
import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { jsonIn, type TrialAnswer } from "./page-trial.ts";

export function AppsPanel({
  value,
  shown,
  writes,
  problem,
  onChange,
}: {
  /** What is typed or stored; empty: the panel's own list. */
  readonly value: string;
  /** What the preview is made of. */
  readonly shown: TrialAnswer["apps"] | undefined;
  readonly writes: boolean;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const words = useWords("subscription");
  const own = value === "" && shown ? JSON.stringify(shown, undefined, 2) : value;
  const broken = value !== "" && jsonIn(value) === undefined ? words.notJson : problem;
  return (
    <Panel title={words.apps}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.appsText}
        </Text>
        <Textarea
          aria-label={words.appsLabel}
          dir="ltr"
          autosize
          minRows={6}
          maxRows={18}
          spellCheck={false}
          disabled={!writes}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
          value={own}
          error={broken}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {value === "" || !writes ? null : (
          <Group>
            <Button variant="default" size="sm" onClick={() => onChange("")}>
              {words.appsReset}
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
