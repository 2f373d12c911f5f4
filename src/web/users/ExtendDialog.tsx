// The question before volume or time is added to an account: how much, and what it has then.
import { Stack } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { panelNow } from "../parts/now.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { endOf } from "./renewal.ts";
import { useExtension } from "./use-extension.tsx";
import type { User } from "./user.ts";

export default function ExtendDialog({ user, asked }: { readonly user: User; readonly asked: Asked<User> }) {
  const words = useWords("users");
  const format = useFormat();
  const [now] = useState(panelNow);
  const { bytes, seconds, wrong, volumeInput, timeInput } = useExtension();
  const end = endOf(user);
  const waits = user.duration > 0 && user.activatedAt === 0;
  const limited = user.volume > 0;
  const ends = waits || end !== undefined;
  const consequence = (
    <Stack gap="sm">
      {limited ? volumeInput : null}
      {bytes > 0 ? <div>{words.extendVolumeText(format.bytes(user.volume + bytes))}</div> : null}
      {ends ? timeInput : null}
      {seconds > 0 ? (
        <div>
          {end === undefined
            ? words.extendTermText(format.duration(user.duration + seconds))
            : words.extendTimeText(format.date(Math.max(now, end) + seconds))}
        </div>
      ) : null}
      <div>{limited || ends ? words.extendText : words.extendUnlimited}</div>
    </Stack>
  );
  return (
    <ConfirmDialog
      opened
      onClose={asked.close}
      title={words.extendTitle(user.name)}
      consequence={consequence}
      confirm={words.extend}
      disabled={wrong || (bytes === 0 && seconds === 0)}
      run={async () => {
        const body = { ...(bytes > 0 && { bytes }), ...(seconds > 0 && { seconds }) };
        const extended = await call<User>("POST", `/users/${user.id}/extend`, { body });
        asked.settle({ record: extended, said: words.extended(user.name) });
      }}
    />
  );
}
