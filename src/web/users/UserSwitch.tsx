// On or off, in place: it moves when the panel has done it, not before.
import { Switch } from "@mantine/core";
import type { Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";

interface UserSwitchProps {
  readonly user: User;
  readonly verbs: Verbs<User>;
  readonly disabled?: boolean;
  readonly label?: boolean;
}

export function UserSwitch({ user, verbs, disabled = false, label }: UserSwitchProps) {
  const words = useWords("users");
  const busy = verbs.busy(user);
  return (
    <Switch
      size="sm"
      checked={user.enable}
      disabled={busy || disabled}
      onChange={() => verbs.run(user, "switch")}
      aria-label={`${user.enable ? words.switchOff : words.switchOn}: ${user.name}`}
      aria-busy={busy}
      {...(label ? { label: user.enable ? words.switched.on : words.switched.off } : {})}
    />
  );
}
