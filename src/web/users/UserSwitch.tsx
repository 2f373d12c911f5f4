// On or off, in place: it moves when the panel has done it, not before. What its limits keep off is said, with the way
// out.
import { Switch } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import { UserDialogs, type Asked } from "./UserDialogs.tsx";
import { useUserVerbs } from "./use-user-verbs.ts";

export function UserSwitch({
  user,
  disabled,
  label,
}: {
  readonly user: User;
  readonly disabled?: boolean;
  readonly label?: boolean;
}) {
  const words = useWords("users");
  const { switchTo } = useUserVerbs();
  const [busy, setBusy] = useState(false);
  const [asked, ask] = useState<Asked>();
  const change = () => {
    setBusy(true);
    void switchTo(user, !user.enable)
      .then((switched) => {
        if (switched?.enable === false && !user.enable) ask({ what: "stays", user: switched });
      })
      .finally(() => setBusy(false));
  };
  const name = `${user.enable ? words.switchOff : words.switchOn}: ${user.name}`;
  return (
    <>
      <Switch
        size="sm"
        checked={user.enable}
        disabled={busy || (disabled ?? false)}
        onChange={change}
        aria-label={name}
        aria-busy={busy}
        {...(label ? { label: user.enable ? words.columns.enable : words.status.disabled } : {})}
      />
      <UserDialogs asked={asked} onClose={() => ask(undefined)} />
    </>
  );
}
