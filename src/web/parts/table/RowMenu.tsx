// What can be done with one row, behind three dots; the list does not move under it while it is open. On a phone it
// comes up from the lower edge. A page has many rows: a menu that nobody opened is a button.
import { UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useState } from "react";
import { useWords } from "../../words/words.ts";
import { ActionName } from "../ActionName.tsx";
import { IconButton } from "../controls/IconButton.tsx";
import { RowIcon } from "../controls/RowIcon.tsx";
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
  // The button stays, with the focus, until its menu has been loaded.
  const used = useDeferredValue(useUsed(opened), false);
  const button: ButtonOf = (props) => (
    <IconButton aria-label={words.actionsOf(label)} {...props}>
      <RowIcon shape="dots" size={16} />
    </IconButton>
  );
  const closed = button({
    onPointerEnter: () => void loadMenu(),
    onClick: () => onChange(true),
    "aria-haspopup": "menu",
    "aria-expanded": false,
  });
  return (
    <Suspense fallback={closed}>{used ? <OpenRowMenu {...{ button, actions, opened, onChange }} /> : closed}</Suspense>
  );
}

/** The same for a thumb. */
export function RowSheet({ label, actions, opened, onChange }: RowMenuProps) {
  const words = useWords("parts");
  const used = useUsed(opened);
  return (
    <>
      <IconButton
        size="thumb"
        aria-label={words.actionsOf(label)}
        aria-haspopup="dialog"
        onClick={() => onChange(true)}
      >
        <RowIcon shape="dots" size={20} />
      </IconButton>
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
