// The question before a renewal: by what, and what the account has before and after. Also where somebody switched on
// what its limits keep off.
import { Alert, Stack } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { panelNow } from "../parts/now.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { endOf, goesByOwn, mayBeRenewed, renewalBody } from "./renewal.ts";
import { RenewFacts } from "./RenewFacts.tsx";
import { RenewWays } from "./RenewWays.tsx";
import { useStandingText } from "./UserStanding.tsx";
import { useRenewalChoice } from "./use-renewal-choice.ts";
import { standingOf, type User } from "./user.ts";

interface RenewDialogProps {
  readonly user: User;
  /** It was switched on and its limits keep it off. */
  readonly stays?: boolean;
  readonly asked: Asked<User>;
}

export default function RenewDialog({ user, stays = false, asked }: RenewDialogProps) {
  const words = useWords("users");
  const parts = useWords("parts");
  const format = useFormat();
  const standing = useStandingText();
  // The account as it was when it was asked: the answer must not move under the pointer.
  const [now] = useState(panelNow);
  const { kind } = standingOf(user, now);
  const waits = user.duration > 0 && user.activatedAt === 0;
  const renewal = useRenewalChoice({ own: goesByOwn(user, now), dated: !waits, now });
  const { choice } = renewal;
  const bySeller = !mayBeRenewed(kind);
  const offered = !stays || !bySeller;
  const consequence = (
    <Stack gap="sm">
      {stays || bySeller ? (
        <Alert color="yellow" variant="light" role="alert">
          {bySeller && offered ? words.renewStaysOff(standing(user)) : standing(user)}
        </Alert>
      ) : null}
      {offered ? (
        <>
          {renewal.ways.length === 0 ? <div>{words.renewNoPlan}</div> : null}
          <RenewWays
            choice={renewal}
            ownLabel={user.term > 0 ? words.renewOwn(format.duration(user.term)) : words.renewVolume}
          />
          {choice ? <RenewFacts user={user} choice={choice} plan={renewal.plan} now={now} /> : null}
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
      disabled={offered && choice === undefined}
      run={async () => {
        if (!offered || !choice) return;
        const renewed = await call<User>("POST", `/users/${user.id}/renew`, { body: renewalBody(choice) });
        renewal.remember();
        const until = endOf(renewed);
        const volume = renewed.volume > 0 ? format.bytes(renewed.volume) : words.noLimit;
        const said =
          until === undefined
            ? words.renewed(user.name, volume)
            : words.renewedUntil(user.name, format.date(until), volume);
        // Paid for, and off all the same: whoever renewed must know why.
        const partly = renewed.enable ? {} : { partly: words.renewStaysOff(standing(renewed)) };
        asked.settle({ record: renewed, said, ...partly });
      }}
    />
  );
}
