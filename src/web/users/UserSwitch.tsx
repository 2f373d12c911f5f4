// On or off, in place: it moves when the panel has done it, not before.
import { Switch } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import { useUserVerbs } from "./use-user-verbs.ts";

export function UserSwitch({ user, disabled, label }: { readonly user: User; readonly disabled?: boolean; readonly label?: boolean }) {
  const words = useWords("users");
  const { switchTo } = useUserVerbs();
  const [busy, setBusy] = useState(false);
  const change = () => {
    setBusy(true);
    void switchTo(user, !user.enable).finally(() => setBusy(false));
  };
  const name = `${user.enable ? words.switchOff : words.switchOn}: ${user.name}`;
  return (
    <Switch
      size="sm"
      checked={user.enable}
      disabled={busy || (disabled ?? false)}
      onChange={change}
      aria-label={name}
      aria-busy={busy}
      {...(label ? { label: user.enable ? words.columns.enable : words.status.disabled } : {})}
    />
  );
}
