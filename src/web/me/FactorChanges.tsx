// New recovery codes, and switching two-factor off: each opened by a code.
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useApiMutation } from "../api/queries.ts";
import { CodeInput } from "../sign-in/CodeInput.tsx";
import { plainDigits } from "../sign-in/digits.ts";
import { useSignInRefusal } from "../session/refusals.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";

export interface RenewCodesProps {
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onCancel: () => void;
}

export function RenewCodes({ onDone, onCancel }: RenewCodesProps) {
  const { factor: words } = useWords("me");
  const renew = useApiMutation<{ recoveryCodes: string[] }, string>(
    (code) => ({ method: "POST", path: "/me/2fa/recovery", body: { code } }),
    {
      refreshes: ["/me/2fa"],
      onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
    },
  );
  const refusal = useSignInRefusal(renew.error ?? undefined);
  return (
    <Stack gap="sm" align="stretch">
      <Text size="sm">{words.renewText}</Text>
      <CodeInput label={words.code} busy={renew.isPending} error={refusal} onCode={(code) => renew.mutate(code)} />
      <Group>
        <Button variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
      </Group>
    </Stack>
  );
}

export function EndFactor({ onDone, onCancel }: { readonly onDone: () => void; readonly onCancel: () => void }) {
  const { factor: words } = useWords("me");
  const [code, setCode] = useState("");
  const end = useApiMutation<unknown, string>(
    (typed) => ({ method: "DELETE", path: "/me/2fa", body: { code: typed } }),
    {
      refreshes: ["/me/2fa", "/me"],
      onDone: () => {
        sayDone(words.ended);
        onDone();
      },
    },
  );
  const refusal = useSignInRefusal(end.error ?? undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // A recovery code has letters; digits of any keyboard are a code of the authenticator.
    end.mutate(/[a-z]/i.test(code) ? code : plainDigits(code));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{words.endText}</Text>
        <TextInput
          label={words.code}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          error={refusal}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          required
          withAsterisk={false}
          autoFocus
        />
        <Group>
          <Button type="submit" color="red" loading={end.isPending}>
            {words.endConfirm}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
