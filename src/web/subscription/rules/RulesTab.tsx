// Which client gets which format: the table, and beside it any client: which row answers it, and what it gets of an
// account. On a narrow screen the client stands over the table and stays in sight.
import { Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { AccountChoice } from "../../clients/AccountChoice.tsx";
import { ClientAnswer } from "../../clients/ClientPreview.tsx";
import { KNOWN_CLIENTS } from "../../clients/known-clients.ts";
import { Failure, LoadingLines } from "../../parts/Answer.tsx";
import { Panel } from "../../parts/Record.tsx";
import { fieldProblems, refusalText } from "../../parts/refusal.ts";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { jsonIn } from "../page-trial.ts";
import classes from "../subscription.module.css";
import { RulesPanel } from "./RulesPanel.tsx";
import { useRuleTrial, type Rule, type RuleAnswer } from "./rule-trial.ts";
import { appCalled, asksAsApp, Tester, type AskingClient } from "./Tester.tsx";

/** As in the styles: from here on nothing stands beside the rules. */
const NARROW = "(max-width: 1000px)";

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
  const can = useCan();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [client, setClient] = useState<AskingClient>(() => appCalled(KNOWN_CLIENTS[0]?.userAgent ?? ""));
  const typed = jsonIn(value);
  const own = Array.isArray(typed) ? (typed as readonly Rule[]) : undefined;
  const trial = useRuleTrial({ ...client, ...(own && { rules: [...own] }) });
  const answer = trial.error ? undefined : trial.data;
  const rules = own ?? trial.data?.rules ?? (value === "" ? undefined : []);
  const tester = (
    <Tester
      client={client}
      answer={answer}
      refused={trial.error ? refusalText(trial.error, parts).cause : undefined}
      brief={isNarrow}
      onChange={setClient}
    />
  );
  // The panel's own table is not known yet: whoever added a row now would put it in place of all others.
  if (!rules)
    return trial.error ? (
      <Failure error={trial.error} retry={() => void trial.refetch()} busy={trial.isFetching} />
    ) : (
      <LoadingLines lines={10} />
    );
  return (
    <div className={classes["page"]}>
      {isNarrow ? <div className={classes["over"]}>{tester}</div> : null}
      <div className={classes["fields"]}>
        <RulesPanel
          value={value}
          rules={rules}
          writes={writes}
          problem={problem}
          problems={trial.error ? fieldProblems(trial.error, parts) : {}}
          answers={answer?.rule?.position}
          onChange={onChange}
        />
      </div>
      <div className={classes["beside"]}>
        {isNarrow ? null : tester}
        {can("users:read") ? <Received client={client} answer={answer} isChanged={isChanged} /> : null}
      </div>
    </div>
  );
}

/** What the client gets of an account. */
function Received({
  client,
  answer,
  isChanged,
}: {
  readonly client: AskingClient;
  readonly answer: RuleAnswer | undefined;
  readonly isChanged: boolean;
}) {
  const words = useWords("subscription").rules;
  const clients = useWords("clients");
  const [account, setAccount] = useState<number>();
  return (
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
            asked={{
              userAgent: client.userAgent,
              hwid: "",
              format: isChanged || !asksAsApp(client) ? answer.format : "",
            }}
          />
        )}
      </Stack>
    </Panel>
  );
}
