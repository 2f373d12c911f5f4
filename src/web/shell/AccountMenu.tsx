// The signed-in person, as a button; what it opens is loaded when it is first touched.
import { IconChevronUp } from "@tabler/icons-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import classes from "./account-menu.module.css";

const load = () => import("./AccountItems.tsx");
const AccountItems = lazy(load);

export function AccountMenu({ small }: { readonly small?: boolean }) {
  const { account: words } = useWords("shell");
  const { username, role, base } = useMe();
  const [open, setOpen] = useState(false);
  // A press outside closes the menu, and the button is outside: what its click means was decided before.
  const closes = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  // What was in the menu is gone, and the focus with it.
  const close = () => {
    setOpen(false);
    if (document.activeElement?.closest("[role=menu]") || document.activeElement === document.body)
      button.current?.focus({ preventScroll: true });
  };
  return (
    <div className={classes["holder"]}>
      <button
        ref={button}
        type="button"
        className={classes["person"]}
        data-small={small}
        title={words.menu}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void load()}
        onPointerDown={() => {
          closes.current = open;
        }}
        onClick={() => {
          setOpen(!closes.current);
          closes.current = false;
        }}
      >
        <span className={classes["initial"]} aria-hidden>
          {username.slice(0, 1).toUpperCase()}
        </span>
        <span className={classes["names"]}>
          <bdi className={classes["name"]}>{username}</bdi>
          {/* The built-in roles are called as the kinds of account are. */}
          <bdi className={classes["role"]}>{role === base ? words.tiers[base] : role}</bdi>
        </span>
        <IconChevronUp size={14} className={classes["chevron"] ?? ""} aria-hidden />
      </button>
      <Suspense>{open ? <AccountItems below={small === true} onClose={close} /> : null}</Suspense>
    </div>
  );
}
