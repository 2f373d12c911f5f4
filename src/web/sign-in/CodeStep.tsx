// The second step of a sign-in: six digits, or a recovery code.
import { Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError, call } from "../api/call.ts";
import { useWords } from "../words/words.ts";
import { CodeInput } from "./CodeInput.tsx";
import type { Me } from "../session/me.ts";
import { useSecondsLeft, useSignInRefusal } from "../session/refusals.ts";

export interface CodeStepProps {
  readonly pending: string;
  readonly onSignedIn: (me: Me) => void;
  readonly onBack: () => void;
}

export default function CodeStep({ pending, onSignedIn, onBack }: CodeStepProps) {
  const { code: words } = useWords("session");
  const [recovery, setRecovery] = useState(false);
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError>();
  const text = useSignInRefusal(refusal);
  const waits = useSecondsLeft(refusal) > 0;

  const send = async (code: string): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      onSignedIn(await call<Me>("POST", "/login/mfa", { body: { pending, code }, hurdles: false }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Stack>
      <div>
        <Title order={2}>{words.title}</Title>
        <Text size="sm" c="dimmed" mt={4}>
          {recovery ? words.recoveryText : words.text}
        </Text>
      </div>
      {recovery ? (
        <form
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            void send(typed);
          }}
        >
          <Stack>
            <TextInput
              label={words.recoveryLabel}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              error={text}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              size="md"
              required
              withAsterisk={false}
              autoFocus
            />
            <Button type="submit" size="md" loading={busy} disabled={waits}>
              {words.confirm}
            </Button>
          </Stack>
        </form>
      ) : (
        <CodeInput label={words.label} busy={busy} error={text} disabled={waits} onCode={(code) => void send(code)} />
      )}
      <Stack gap={6} align="flex-start">
        <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!recovery)}>
          {recovery ? words.digits : words.recovery}
        </Anchor>
        <Anchor component="button" type="button" size="sm" c="dimmed" onClick={onBack}>
          {words.back}
        </Anchor>
      </Stack>
    </Stack>
  );
}
