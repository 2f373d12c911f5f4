// Username and password. A ban from signing in counts down here.
import { Alert, Button, Checkbox, Stack, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError, call } from "../api/call.ts";
import { Password } from "../parts/form/Password.tsx";
import { useWords } from "../words/words.ts";
import type { Me } from "../session/me.ts";
import { useSecondsLeft, useSignInRefusal } from "../session/refusals.ts";
import type { Pending } from "./SignIn.tsx";

export interface PasswordStepProps {
  readonly username?: string;
  readonly onAnswer: (answer: Me | Pending) => void;
}

export function PasswordStep({ username, onAnswer }: PasswordStepProps) {
  const words = useWords("session");
  const [name, setName] = useState(username ?? "");
  const [password, setPassword] = useState("");
  const [remember, setRemember] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError>();
  const text = useSignInRefusal(refusal);
  const waits = useSecondsLeft(refusal) > 0;

  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setRefusal(undefined);
    try {
      onAnswer(
        await call<Me | Pending>("POST", "/login", { body: { username: name, password, remember }, hurdles: false }),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What was typed meanwhile is a new try.
      setPassword((now) => (now === password ? "" : now));
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void signIn(event)}>
      <Stack>
        {text === undefined ? null : (
          <Alert color="red" variant="light" role="alert" p="xs">
            {text}
          </Alert>
        )}
        <TextInput
          label={words.username}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          size="md"
          required
          withAsterisk={false}
          readOnly={username !== undefined}
          {...(username === undefined ? { autoFocus: true } : {})}
        />
        <Password
          label={words.password}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          autoComplete="current-password"
          size="md"
          required
          withAsterisk={false}
          {...(username === undefined ? {} : { autoFocus: true, "data-autofocus": true })}
        />
        <Checkbox
          label={words.remember}
          checked={remember}
          onChange={({ currentTarget }) => setRemember(currentTarget.checked)}
        />
        <Button type="submit" size="md" loading={busy} disabled={waits} fullWidth>
          {words.signIn}
        </Button>
      </Stack>
    </form>
  );
}
