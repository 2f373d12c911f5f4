// The question before a renewal: until when, by the account's own term or to a date that is chosen. Also where somebody switched on what its limits keep off.
import { Alert, Radio, Stack } from "@mantine/core";
import { useId, useState } from "react";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { DateInput } from "../parts/form/DateInput.tsx";
import { panelNow } from "../parts/now.ts";
import { useWords } from "../words/words.ts";
import { mayBeRenewed, renewalOf } from "./renewal.ts";
import { useStandingText } from "./StandingText.tsx";
import { standingOf, type User } from "./user.ts";
import { useUserVerbs } from "./use-user-verbs.ts";

interface RenewDialogProps {
  readonly user: User;
  /** It was switched on and its limits keep it off. */
  readonly stays?: boolean;
  readonly onClose: () => void;
}

export function RenewDialog({ user, stays = false, onClose }: RenewDialogProps) {
  const words = useWords("users");
  const parts = useWords("parts");
  const format = useFormat();
  const standing = useStandingText();
  const verbs = useUserVerbs();
  const label = useId();
  // The account as it was when it was asked: the answer must not move under the pointer.
  const [now] = useState(panelNow);
  const renewal = renewalOf(user, now);
  const choosable = renewal.kind === "until" || renewal.kind === "dateless";
  const [own, setOwn] = useState(renewal.kind !== "dateless");
  const [chosen, setChosen] = useState(renewal.kind === "until" ? renewal.at : 0);
  const [problem, setProblem] = useState<string>();
  const offered = !stays || mayBeRenewed(standingOf(user, now).kind);
  const past = !own && chosen !== 0 && chosen <= now;
  const consequence = (
    <Stack gap="sm">
      {stays ? (
        <Alert color="yellow" variant="light" role="alert">
          {standing(user)}
        </Alert>
      ) : null}
      {offered ? (
        <>
          {renewal.kind === "term" ? <div>{words.renewTerm(format.duration(renewal.seconds))}</div> : null}
          {renewal.kind === "counters" ? <div>{words.renewCounters}</div> : null}
          {choosable ? (
            <Radio.Group label={words.renewUntil} value={own ? "own" : "chosen"} onChange={(value) => setOwn(value === "own")}>
              <Stack gap={6} mt={6}>
                {renewal.kind === "until" ? (
                  <Radio value="own" label={words.renewOwn(format.duration(renewal.term), format.date(renewal.at))} />
                ) : null}
                <Radio value="chosen" label={words.renewChosen} />
              </Stack>
            </Radio.Group>
          ) : null}
          {own ? null : (
            <DateInput
              id={label}
              label={words.renewDate}
              value={chosen}
              onChange={setChosen}
              onProblem={setProblem}
              error={problem ?? (past ? words.renewPast : undefined)}
            />
          )}
          <div>{words.renewText}</div>
        </>
      ) : (
        <div>{words.next.reseller}</div>
      )}
    </Stack>
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={stays ? words.staysOff(user.name) : words.renewTitle(user.name)}
      consequence={consequence}
      confirm={offered ? words.renew : parts.close}
      disabled={offered && !own && (chosen === 0 || past || problem !== undefined)}
      run={async () => {
        if (offered) await verbs.renew(user, own ? undefined : chosen);
      }}
    />
  );
}
