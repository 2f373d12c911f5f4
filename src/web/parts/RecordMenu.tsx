// The verbs of a record that are not buttons, behind the dots.
import { Menu } from "@mantine/core";
import { useState } from "react";
import { ActionName } from "./ActionName.tsx";
import { useTakesOver, type ButtonOf } from "./LateMenu.tsx";
import type { RowAction } from "./table/columns.ts";

interface RecordMenuProps {
  readonly button: ButtonOf;
  readonly actions: readonly RowAction[];
}

export default function RecordMenu({ button, actions }: RecordMenuProps) {
  const { ready, ref } = useTakesOver();
  const [opened, setOpened] = useState(true);
  return (
    <Menu opened={opened && ready} onChange={setOpened} position="bottom-end" shadow="md" width={240}>
      <Menu.Target>{button({ ref })}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ id, label, icon, danger, disabled, run }) => (
          <Menu.Item
            key={id}
            leftSection={icon}
            {...(danger ? { c: "var(--tone-failed)" } : {})}
            disabled={disabled !== undefined}
            onClick={run}
          >
            <ActionName name={label} disabled={disabled} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
