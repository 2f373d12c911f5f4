// On or off, in place: it moves when the panel has done it, not before.
import { Switch } from "@mantine/core";
import { Toggle } from "../parts/controls/Toggle.tsx";
import type { Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";

interface UserSwitchProps {
  readonly user: User;
  readonly verbs: Verbs<User>;
  readonly disabled?: boolean;
}

/** In a row. */
export function UserToggle({ user, verbs, disabled = false }: UserSwitchProps) {
  return <Toggle {...useSwitch(user, verbs, disabled)} />;
}

/** On the user's page, with words. */
export function UserSwitch({ user, verbs, disabled = false }: UserSwitchProps) {
  const words = useWords("users");
  return (
    <Switch
      size="sm"
      label={user.enable ? words.switched.on : words.switched.off}
      {...useSwitch(user, verbs, disabled)}
    />
  );
}

function useSwitch(user: User, verbs: Verbs<User>, disabled: boolean) {
  const words = useWords("users");
  const busy = verbs.busy(user);
  return {
    checked: user.enable,
    disabled: busy || disabled,
    onChange: () => verbs.run(user, "switch"),
    "aria-label": `${user.enable ? words.switchOff : words.switchOn}: ${user.name}`,
    "aria-busy": busy,
  };
}
