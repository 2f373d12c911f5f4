// What can be done with one row, behind three dots; the list does not move under it while it is open.
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useWords } from "../../words/words.ts";
import { Keys } from "../Names.tsx";
import type { RowAction } from "./columns.ts";

export interface RowMenuProps {
  readonly label: string;
  readonly actions: () => readonly RowAction[];
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  readonly large?: boolean;
}

export function RowMenu({ label, actions, opened, onChange, large }: RowMenuProps) {
  const words = useWords("parts");
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end" withinPortal shadow="md" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={large ? 44 : "sm"} aria-label={words.actionsOf(label)}>
          <IconDots size={large ? 20 : 16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {opened
          ? actions().map(({ id, label: name, icon, key, danger, disabled, run }) => (
              <Menu.Item
                key={id}
                leftSection={icon}
                rightSection={key === undefined ? null : <Keys>{key}</Keys>}
                {...(danger ? { c: "var(--tone-failed)" } : {})}
                disabled={disabled !== undefined}
                title={disabled ?? ""}
                onClick={run}
              >
                {name}
              </Menu.Item>
            ))
          : null}
      </Menu.Dropdown>
    </Menu>
  );
}
