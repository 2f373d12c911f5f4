// Which client gets which format: the table, and beside it any client: which row answers it, and what it gets of an
// account.
import { Alert, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { AccountChoice } from "../../clients/AccountChoice.tsx";
import { ClientChoice } from "../../clients/ClientChoice.tsx";
import { ClientAnswer } from "../../clients/ClientPreview.tsx";
import { KNOWN_CLIENTS } from "../../clients/known-clients.ts";
import { useRuleText } from "../../clients/use-rule-text.ts";
import { useFormat } from "../../format/use-format.ts";
import { Code } from "../../parts/Names.tsx";
import { Panel } from "../../parts/Record.tsx";
import { fieldProblems, refusalText } from "../../parts/refusal.ts";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { jsonIn } from "../page-trial.ts";
import classes from "../subscription.module.css";
import { Arrow } from "./Arrow.tsx";
import { RulesPanel } from "./RulesPanel.tsx";
import { useRuleTrial, type Rule, type RuleAnswer } from "./rule-trial.ts";

/** As browsers ask, and as apps do. */
const ACCEPTS = { app: "*/*", browser: "text/html,application/xhtml+xml,*/*;q=0.8" } as const;

export function RulesTab({
  value,
  isChanged,
  writes,
  problem,
  onChange,
}: {
  readonly value: string;
  /** Not saved yet. */
  readonly isChanged: boolean;
  readonly writes: boolean;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const parts = useWords("parts");
  const [userAgent, setUserAgent] = useState(KNOWN_CLIENTS[0]?.userAgent ?? "");
  const [accept, setAccept] = useState<string>(ACCEPTS.app);
  const typed = jsonIn(value);
  const own = Array.isArray(typed) ? (typed as readonly Rule[]) : undefined;
  const trial = useRuleTrial({ userAgent, accept, ...(own && { rules: [...own] }) });
  const problems = trial.error ? fieldProblems(trial.error, parts) : {};
  const answer = trial.error ? undefined : trial.data;
  return (
    <div className={classes["page"]}>
      <div className={classes["fields"]}>
        <RulesPanel
          value={value}
          rules={own ?? trial.data?.rules ?? []}
          writes={writes}
          problem={problem}
          problems={problems}
          answers={answer?.rule?.position}
          onChange={onChange}
        />
      </div>
      <div className={classes["beside"]}>
        <Tester
          answer={answer}
          refused={trial.error ? refusalText(trial.error, parts).cause : undefined}
          isChanged={isChanged}
          client={{ userAgent, accept, setUserAgent, setAccept }}
        />
      </div>
    </div>
  );
}

interface Client {
  readonly userAgent: string;
  readonly accept: string;
  readonly setUserAgent: (text: string) => void;
  readonly setAccept: (text: string) => void;
}

function Tester({
  answer,
  refused,
  isChanged,
  client: { userAgent, accept, setUserAgent, setAccept },
}: {
  readonly answer: RuleAnswer | undefined;
  readonly refused: string | undefined;
  readonly isChanged: boolean;
  readonly client: Client;
}) {
  const words = useWords("subscription").rules;
  const clients = useWords("clients");
  const can = useCan();
  const [account, setAccount] = useState<number>();
  const kind = accept === ACCEPTS.app ? "app" : accept === ACCEPTS.browser ? "browser" : "";
  return (
    <>
      <Panel title={words.tester}>
        <Stack gap="xs">
          <ClientChoice userAgent={userAgent} onChange={setUserAgent} />
          <SegmentedControl
            aria-label={words.asks}
            value={kind}
            data={[
              { value: "app", label: words.asApp },
              { value: "browser", label: words.asBrowser },
            ]}
            onChange={(next) => setAccept(next === "browser" ? ACCEPTS.browser : ACCEPTS.app)}
          />
          <TextInput
            label="Accept"
            dir="ltr"
            maxLength={4096}
            spellCheck={false}
            value={accept}
            onChange={(event) => setAccept(event.currentTarget.value)}
          />
          {refused === undefined ? null : (
            <Alert color="red" variant="light">
              <bdi>{refused}</bdi>
            </Alert>
          )}
          {answer && <Verdict answer={answer} />}
        </Stack>
      </Panel>
      {can("users:read") ? (
        <Panel title={clients.previewTitle}>
          <Stack gap="sm">
            <AccountChoice value={account} onChange={setAccount} />
            {isChanged ? (
              <Text size="sm" c="dimmed">
                {words.unsaved}
              </Text>
            ) : null}
            {account === undefined || !answer ? null : answer.format === "html" ? (
              <Text size="sm">{words.getsPage}</Text>
            ) : (
              <ClientAnswer
                user={{ id: account }}
                asked={{ userAgent, hwid: "", format: isChanged || accept !== ACCEPTS.app ? answer.format : "" }}
              />
            )}
          </Stack>
        </Panel>
      ) : null}
    </>
  );
}

/** The row that answers, and with what. */
function Verdict({ answer: { rule, format } }: { readonly answer: RuleAnswer }) {
  const words = useWords("subscription").rules;
  const shown = useFormat();
  const ruleText = useRuleText();
  return (
    <Text size="sm" role="status">
      {rule ? words.row(shown.number(rule.position + 1)) : words.noRow} {rule && ruleText(rule)} <Arrow />{" "}
      <Code>{format}</Code>
    </Text>
  );
}
