// The table of formats: rows in their order, each a condition and an answer, as a form or as JSON.
import { ActionIcon, Button, Group, Switch, Text, UnstyledButton } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useRuleText } from "../../clients/use-rule-text.ts";
import { Code } from "../../parts/Names.tsx";
import { moved, OrderedList } from "../../parts/order/OrderedList.tsx";
import { ToneBadge } from "../../parts/StateBadge.tsx";
import { useWords } from "../../words/words.ts";
import { ListOrJson } from "../ListOrJson.tsx";
import { jsonIn } from "../page-trial.ts";
import classes from "../subscription.module.css";
import { Arrow } from "./Arrow.tsx";
import { RuleForm } from "./RuleForm.tsx";
import { problemsAt, type Rule } from "./rule-trial.ts";

const FRESH: Rule = { header: "user-agent", operator: "startsWith", value: "", format: "base64", enabled: true };

export interface RulesPanelProps {
  /** What is typed or stored; empty: the panel's own table. */
  readonly value: string;
  readonly rules: readonly Rule[];
  readonly writes: boolean;
  /** Why the whole of it was refused. */
  readonly problem: string | undefined;
  /** What is wrong, by path. */
  readonly problems: Readonly<Record<string, string>>;
  /** The row that answers what is tried. */
  readonly answers: number | undefined;
  readonly onChange: (value: string) => void;
}

export function RulesPanel(props: RulesPanelProps) {
  const { value, rules, writes, problem, onChange } = props;
  const words = useWords("subscription").rules;
  const isBroken = value !== "" && jsonIn(value) === undefined;
  return (
    <ListOrJson
      title={words.title}
      text={words.text}
      label={words.json}
      reset={words.reset}
      value={value}
      own={rules}
      lines={{ min: 8, max: 28 }}
      writes={writes}
      problem={problem}
      onChange={onChange}
    >
      {isBroken ? undefined : <RuleList {...props} />}
    </ListOrJson>
  );
}

function RuleList({ rules, writes, problems, answers, onChange }: RulesPanelProps) {
  const words = useWords("subscription");
  const ruleText = useRuleText();
  /** The row whose fields are shown. */
  const [opened, setOpened] = useState<number>();
  const put = (next: readonly Rule[]) => onChange(JSON.stringify(next));
  const change = (place: number, rule: Rule) => put(rules.map((row, index) => (index === place ? rule : row)));
  const move = (from: number, to: number) => {
    put(moved(rules, from, to));
    if (opened !== undefined) setOpened(placeAfter(opened, from, to));
  };
  const remove = (place: number) => {
    put(rules.filter((_, index) => index !== place));
    setOpened(undefined);
  };
  return (
    <>
      {writes ? (
        <Group>
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              put([FRESH, ...rules]);
              setOpened(0);
            }}
          >
            {words.rules.add}
          </Button>
        </Group>
      ) : null}
      <OrderedList
        rows={rules}
        nameOf={(rule) => ruleText(rule)}
        words={words}
        onMove={writes ? move : undefined}
        isLit={(_, place) => place === answers}
      >
        {(rule, place) => {
          const wrong = problemsAt(problems, place);
          return (
            <>
              <Group gap="xs" wrap="nowrap" mih={36}>
                <UnstyledButton
                  className={classes["rule"] ?? ""}
                  data-off={!rule.enabled || undefined}
                  aria-expanded={opened === place}
                  onClick={() => setOpened(opened === place ? undefined : place)}
                >
                  <span className={classes["said"]}>{ruleText(rule)}</span> <Arrow /> <Code>{rule.format}</Code>{" "}
                  {rule.headers ? <span className={classes["note"]}>{words.rules.withHeaders}</span> : null}{" "}
                  {place === answers ? <ToneBadge tone="ok">{words.rules.answers}</ToneBadge> : null}
                </UnstyledButton>
                {writes ? (
                  <>
                    <Switch
                      size="xs"
                      aria-label={`${words.rules.enabled}: ${ruleText(rule)}`}
                      checked={rule.enabled}
                      onChange={(event) => change(place, { ...rule, enabled: event.currentTarget.checked })}
                    />
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={words.removeOf(ruleText(rule))}
                      onClick={() => remove(place)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </>
                ) : null}
              </Group>
              {opened === place && writes ? (
                <RuleForm rule={rule} problems={wrong} onChange={(next) => change(place, next)} />
              ) : (
                Object.entries(wrong).map(([field, text]) => (
                  <Text key={field} size="xs" c="red">
                    {field}: {text}
                  </Text>
                ))
              )}
            </>
          );
        }}
      </OrderedList>
    </>
  );
}

/** Where a row stands after one was moved. */
function placeAfter(place: number, from: number, to: number): number {
  if (place === from) return to;
  if (from < place && place <= to) return place - 1;
  return to <= place && place < from ? place + 1 : place;
}
