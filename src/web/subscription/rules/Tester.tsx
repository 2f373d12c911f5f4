// A client that asks, and the row that answers it. Where it stands over the rules, what is seldom changed is folded.
import { Alert, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { KnownClientChoice, UserAgentInput } from "../../clients/ClientChoice.tsx";
import { clientOf, OTHER } from "../../clients/known-clients.ts";
import { useRuleText } from "../../clients/use-rule-text.ts";
import { useFormat } from "../../format/use-format.ts";
import { Code } from "../../parts/Names.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useWords } from "../../words/words.ts";
import classes from "../subscription.module.css";
import { Arrow } from "./Arrow.tsx";
import type { RuleAnswer } from "./rule-trial.ts";

/** As browsers ask, and as apps do. */
const ACCEPTS = { app: "*/*", browser: "text/html,application/xhtml+xml,*/*;q=0.8" } as const;

export interface AskingClient {
  readonly userAgent: string;
  readonly accept: string;
}

/** An app, as apps ask. */
export function asksAsApp({ accept }: AskingClient): boolean {
  return accept === ACCEPTS.app;
}

export function appCalled(userAgent: string): AskingClient {
  return { userAgent, accept: ACCEPTS.app };
}

export interface TesterProps {
  readonly client: AskingClient;
  readonly answer: RuleAnswer | undefined;
  readonly refused: string | undefined;
  /** It stands over the rules, where there is little room. */
  readonly brief: boolean;
  readonly onChange: (client: AskingClient) => void;
}

export function Tester({ client, answer, refused, brief, onChange }: TesterProps) {
  const words = useWords("subscription").rules;
  const { userAgent, accept } = client;
  const kind = accept === ACCEPTS.app ? "app" : accept === ACCEPTS.browser ? "browser" : "";
  const called = { userAgent, onChange: (name: string) => onChange({ ...client, userAgent: name }) };
  return (
    <Panel {...(brief ? {} : { title: words.tester })}>
      <Stack gap="xs">
        <KnownClientChoice {...called} />
        <Request isFolded={brief} isNeeded={clientOf(userAgent) === OTHER}>
          <UserAgentInput {...called} />
          <SegmentedControl
            aria-label={words.asks}
            value={kind}
            data={[
              { value: "app", label: words.asApp },
              { value: "browser", label: words.asBrowser },
            ]}
            onChange={(next) => onChange({ ...client, accept: next === "browser" ? ACCEPTS.browser : ACCEPTS.app })}
          />
          <TextInput
            label="Accept"
            dir="ltr"
            maxLength={4096}
            spellCheck={false}
            value={accept}
            onChange={(event) => onChange({ ...client, accept: event.currentTarget.value })}
          />
        </Request>
        {refused === undefined ? null : (
          <Alert color="red" variant="light">
            <bdi>{refused}</bdi>
          </Alert>
        )}
        {answer && <Verdict answer={answer} />}
      </Stack>
    </Panel>
  );
}

/** `isNeeded`: something in it is to be typed. */
function Request({
  isFolded,
  isNeeded,
  children,
}: {
  readonly isFolded: boolean;
  readonly isNeeded: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords("subscription").rules;
  const [isOpen, setOpen] = useState(false);
  if (!isFolded) return children;
  return (
    <details
      className={classes["fold"]}
      open={isOpen || isNeeded}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{words.request}</summary>
      <Stack gap="xs" mt="xs">
        {children}
      </Stack>
    </details>
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
