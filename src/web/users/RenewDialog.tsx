// The question before a renewal: until when, by the account's own term or to a date that is chosen. Also where somebody
// switched on what its limits keep off.
import { Alert, Stack } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { panelNow } from "../parts/now.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { endOf, mayBeRenewed, renewalOf, takesDate } from "./renewal.ts";
import { RenewEnd, useChosenEnd } from "./RenewEnd.tsx";
import { useStandingText } from "./StandingText.tsx";
import { standingOf, type User } from "./user.ts";

interface RenewDialogProps {
  readonly user: User;
  /** It was switched on and its limits keep it off. */
  readonly stays?: boolean;
  readonly asked: Asked<User>;
}

export function RenewDialog({ user, stays = false, asked }: RenewDialogProps) {
  const words = useWords("users");
  const parts = useWords("parts");
  const format = useFormat();
  const standing = useStandingText();
  // The account as it was when it was asked: the answer must not move under the pointer.
  const [now] = useState(panelNow);
  const renewal = renewalOf(user, now);
  const choosable = takesDate(renewal);
  const end = useChosenEnd(now, { own: renewal.kind !== "dateless", at: renewal.kind === "until" ? renewal.at : 0 });
  const offered = !stays || mayBeRenewed(standingOf(user, now).kind);
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
            <RenewEnd
              end={end}
              ownLabel={
                renewal.kind === "until"
                  ? words.renewOwn(format.duration(renewal.term), format.date(renewal.at))
                  : undefined
              }
            />
          ) : null}
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
      onClose={asked.close}
      title={stays ? words.staysOff(user.name) : words.renewTitle(user.name)}
      consequence={consequence}
      confirm={offered ? words.renew : parts.close}
      disabled={offered && end.missing}
      run={async () => {
        if (!offered) return;
        const body = end.own ? {} : { expiry: end.at };
        const renewed = await call<User>("POST", `/users/${user.id}/renew`, { body });
        const until = endOf(renewed);
        const said = until === undefined ? words.renewed(user.name) : words.renewedUntil(user.name, format.date(until));
        asked.settle({ record: renewed, said });
      }}
    />
  );
}
