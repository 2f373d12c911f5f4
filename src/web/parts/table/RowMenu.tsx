// What can be done with one row, behind three dots; the list does not move under it while it is open. On a phone it
// comes up from the lower edge. A page has many rows: a menu that nobody opened is a button.
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useWords } from "../../words/words.ts";
import { ActionName } from "../ActionName.tsx";
import type { ButtonOf } from "../LateMenu.tsx";
import type { RowAction } from "./columns.ts";
import classes from "./table.module.css";

export interface RowMenuProps {
  readonly label: string;
  readonly actions: () => readonly RowAction[];
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
}

const Sheet = lazy(() => import("./Sheet.tsx"));
const loadMenu = () => import("./OpenRowMenu.tsx");
const OpenRowMenu = lazy(loadMenu);

/** Whether it was ever open: then it stays, so that it can close as it opened. */
function useUsed(opened: boolean): boolean {
  const [used, setUsed] = useState(opened);
  if (opened && !used) setUsed(true);
  return used;
}

export function RowMenu({ label, actions, opened, onChange }: RowMenuProps) {
  const words = useWords("parts");
  const used = useUsed(opened);
  const button: ButtonOf = (props) => (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words.actionsOf(label)} {...props}>
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  );
  const closed = button({
    onPointerEnter: () => void loadMenu(),
    onClick: () => onChange(true),
    "aria-haspopup": "menu",
    "aria-expanded": false,
  });
  if (!used) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenRowMenu {...{ button, actions, opened, onChange }} />
    </Suspense>
  );
}

/** The same for a thumb. */
export function RowSheet({ label, actions, opened, onChange }: RowMenuProps) {
  const words = useWords("parts");
  const used = useUsed(opened);
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
      <Suspense>
        {used ? (
          <Sheet opened={opened} onClose={() => onChange(false)} title={label}>
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
          </Sheet>
        ) : null}
      </Suspense>
    </>
  );
}
