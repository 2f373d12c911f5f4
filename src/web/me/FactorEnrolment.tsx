// Switching two-factor on: a new secret as a picture and as text, then a code of it.
import { Button, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useApiMutation } from "../api/queries.ts";
import { Failure, LoadingLines } from "../parts/Answer.tsx";
import { Code } from "../parts/Names.tsx";
import { QrCode } from "../parts/QrCode.tsx";
import { CodeInput } from "../sign-in/CodeInput.tsx";
import { useSignInRefusal } from "../session/refusals.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import classes from "./me.module.css";

export interface FactorEnrolmentProps {
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onCancel: () => void;
}

export function FactorEnrolment({ onDone, onCancel }: FactorEnrolmentProps) {
  const { factor: words } = useWords("me");
  const begin = useApiMutation<{ secret: string; uri: string }>(() => ({ method: "POST", path: "/me/2fa/totp" }));
  const confirm = useApiMutation<{ recoveryCodes: string[] }, string>(
    (code) => ({ method: "POST", path: "/me/2fa/totp/confirm", body: { code } }),
    {
      refreshes: ["/me/2fa", "/me"],
      onDone: ({ recoveryCodes }) => {
        sayDone(words.started);
        onDone(recoveryCodes);
      },
    },
  );
  const refusal = useSignInRefusal(confirm.error ?? undefined);
  const start = useEffectEvent(() => begin.mutate());
  useEffect(() => start(), []);

  if (begin.error) return <Failure error={begin.error} retry={() => begin.mutate()} />;
  if (!begin.data) return <LoadingLines />;
  const { secret, uri } = begin.data;
  return (
    <div className={classes["enrol"]}>
      <QrCode value={uri} label={words.title} size={168} />
      <Stack gap="sm">
        <Text size="sm">{words.scan}</Text>
        <div>
          <Text size="xs" c="dimmed">
            {words.secret}
          </Text>
          <Code copy>{secret}</Code>
        </div>
        <CodeInput
          label={words.code}
          busy={confirm.isPending}
          error={refusal}
          onCode={(code) => confirm.mutate(code)}
        />
        <Button variant="default" onClick={onCancel} style={{ alignSelf: "flex-start" }}>
          {words.cancel}
        </Button>
      </Stack>
    </div>
  );
}
