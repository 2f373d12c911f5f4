// Two-factor sign-in of the own account: whether it is on, and the ways to change that.
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Answer } from "../parts/Answer.tsx";
import { Panel } from "../parts/Record.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import { EndFactor, RenewCodes } from "./FactorChanges.tsx";
import { FactorEnrolment } from "./FactorEnrolment.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";

interface Factor {
  readonly enabled: boolean;
  readonly enabledAt: number;
  readonly recoveryCodesLeft: number;
}

/** What the person is doing here; the codes are in memory until they are said to be saved. */
type Doing =
  | { readonly what: "nothing" | "enrolling" | "renewing" | "ending" }
  | { readonly what: "saving"; readonly codes: readonly string[] };

export function FactorPanel() {
  const { factor: words } = useWords("me");
  const format = useFormat();
  const factor = useApi<Factor>("/me/2fa");
  const [doing, setDoing] = useState<Doing>({ what: "nothing" });
  const stop = (): void => setDoing({ what: "nothing" });
  const save = (codes: readonly string[]): void => setDoing({ what: "saving", codes });
  return (
    <Panel title={words.title}>
      <Answer of={factor}>
        {({ enabled, enabledAt, recoveryCodesLeft }) => {
          switch (doing.what) {
            case "enrolling":
              return <FactorEnrolment onDone={save} onCancel={stop} />;
            case "renewing":
              return <RenewCodes onDone={save} onCancel={stop} />;
            case "ending":
              return <EndFactor onDone={stop} onCancel={stop} />;
            case "saving":
              return <RecoveryCodes codes={doing.codes} onSaved={stop} />;
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
                      <Button variant="default" onClick={() => setDoing({ what: "renewing" })}>
                        {words.renew}
                      </Button>
                      <Button variant="default" onClick={() => setDoing({ what: "ending" })}>
                        {words.end}
                      </Button>
                    </Group>
                  ) : (
                    <Button onClick={() => setDoing({ what: "enrolling" })}>{words.begin}</Button>
                  )}
                </Stack>
              );
          }
        }}
      </Answer>
    </Panel>
  );
}
