// What can be done with one row, behind three dots; the list does not move under it while it is open. On a phone it
// comes up from the lower edge.
import { ActionIcon, Drawer, Menu, UnstyledButton } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../words/words.ts";
import { Keys } from "../Names.tsx";
import type { RowAction } from "./columns.ts";
import classes from "./table.module.css";

export interface RowMenuProps {
  readonly label: string;
  readonly actions: () => readonly RowAction[];
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
}

/** What an action does; below it why it cannot be done now. */
export function ActionName({ name, disabled }: { readonly name: string; readonly disabled: string | undefined }) {
  if (disabled === undefined) return name;
  return (
    <span>
      {name}
      <small className={classes["whyNot"]}>{disabled}</small>
    </span>
  );
}

/** The same for a thumb. */
export function RowSheet({ label, actions, opened, onChange }: RowMenuProps) {
  const words = useWords("parts");
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={words.actionsOf(label)}
        aria-haspopup="dialog"
        onClick={() => onChange(true)}
      >
        <IconDots size={20} aria-hidden />
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={() => onChange(false)}
        position="bottom"
        title={<bdi>{label}</bdi>}
        classNames={{ content: classes["sheetFrame"] ?? "", header: classes["sheetHead"] ?? "" }}
        closeButtonProps={{ "aria-label": words.close, size: 44, iconSize: 18 }}
      >
        {opened
          ? actions().map(({ id, label: name, icon, danger, disabled, run }) => (
              <UnstyledButton
                key={id}
                className={classes["sheetItem"] ?? ""}
                data-danger={danger ?? false}
                disabled={disabled !== undefined}
                onClick={() => {
                  onChange(false);
                  run();
                }}
              >
                {icon}
                <ActionName name={name} disabled={disabled} />
              </UnstyledButton>
            ))
          : null}
      </Drawer>
    </>
  );
}

export function RowMenu({ label, actions, opened, onChange }: RowMenuProps) {
  const words = useWords("parts");
  // A menu that nobody opened is a button: a page has many rows.
  const [used, setUsed] = useState(opened);
  if (opened && !used) setUsed(true);
  if (!used) {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={words.actionsOf(label)}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => onChange(true)}
      >
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    );
  }
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end" withinPortal shadow="md" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words.actionsOf(label)}>
          <IconDots size={16} aria-hidden />
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
