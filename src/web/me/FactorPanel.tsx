// Two-factor sign-in of the own account: whether it is on, and the ways to change that.
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Answer } from "../parts/Answer.tsx";
import { Panel } from "../parts/Record.tsx";
import { showOnce } from "../parts/secrets.ts";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import { EndFactor, RenewCodes } from "./FactorChanges.tsx";
import { FactorEnrolment } from "./FactorEnrolment.tsx";

interface Factor {
  readonly enabled: boolean;
  readonly enabledAt: number;
  readonly recoveryCodesLeft: number;
}

/** What the person is doing here. */
type Doing = "nothing" | "enrolling" | "renewing" | "ending";

export function FactorPanel() {
  const { factor: words } = useWords("me");
  const format = useFormat();
  const factor = useApi<Factor>("/me/2fa");
  const [doing, setDoing] = useState<Doing>("nothing");
  const stop = (): void => setDoing("nothing");
  const save = (codes: readonly string[]): void => {
    stop();
    const file = "signalbox-recovery-codes.txt";
    void showOnce({ title: words.codesTitle, text: words.codesText, values: codes, file });
  };
  return (
    <Panel title={words.title}>
      <Answer of={factor}>
        {({ enabled, enabledAt, recoveryCodesLeft }) => {
          switch (doing) {
            case "enrolling":
              return <FactorEnrolment onDone={save} onCancel={stop} />;
            case "renewing":
              return <RenewCodes onDone={save} onCancel={stop} />;
            case "ending":
              return <EndFactor onDone={stop} onCancel={stop} />;
            case "nothing":
              return (
                <Stack gap="sm" align="flex-start">
                  <Group gap="sm" wrap="nowrap" align="flex-start">
                    <ToneBadge tone={enabled ? "ok" : "waiting"}>{enabled ? words.onBadge : words.offBadge}</ToneBadge>
                    <Text size="sm">
                      {enabled
                        ? `${words.on(format.date(enabledAt, "date"))} ${words.codesLeft(recoveryCodesLeft)}`
                        : words.off}
                    </Text>
                  </Group>
                  {enabled ? (
                    <Group gap="xs">
                      <Button variant="default" onClick={() => setDoing("renewing")}>
                        {words.renew}
                      </Button>
                      <Button variant="default" onClick={() => setDoing("ending")}>
                        {words.end}
                      </Button>
                    </Group>
                  ) : (
                    <Button onClick={() => setDoing("enrolling")}>{words.begin}</Button>
                  )}
                </Stack>
              );
          }
        }}
      </Answer>
    </Panel>
  );
}
