// The menu of one row, from when it is first opened.
import { Menu } from "@mantine/core";
import { ActionName } from "../ActionName.tsx";
import { useTakesOver, type ButtonOf } from "../LateMenu.tsx";
import { Keys } from "../Names.tsx";
import type { RowMenuProps } from "./RowMenu.tsx";

interface OpenRowMenuProps extends Omit<RowMenuProps, "label"> {
  readonly button: ButtonOf;
}

export default function OpenRowMenu({ button, actions, opened, onChange }: OpenRowMenuProps) {
  const { ready, ref } = useTakesOver();
  return (
    <Menu opened={opened && ready} onChange={onChange} position="bottom-end" withinPortal shadow="md" width={220}>
      <Menu.Target>{button({ ref })}</Menu.Target>
      <Menu.Dropdown>
        {opened
          ? actions().map(({ id, label: name, icon, key, danger, disabled, run }) => (
              <Menu.Item
                key={id}
                leftSection={icon}
                rightSection={key === undefined ? null : <Keys>{key}</Keys>}
                {...(danger ? { c: "var(--tone-failed)" } : {})}
                disabled={disabled !== undefined}
                onClick={run}
              >
                <ActionName name={name} disabled={disabled} />
              </Menu.Item>
            ))
          : null}
      </Menu.Dropdown>
    </Menu>
  );
}
