// Below the page on phones: the pages in reach of a thumb, what can be created, and the others in a sheet.
import { IconDots, IconPlus } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import { barOf } from "../page.ts";
import { PAGES } from "../pages.ts";
import { useCan, useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { isWithin, type NavPage } from "./nav.ts";
import { useAllWords } from "./words.ts";
import classes from "./shell.module.css";

const BottomSheet = lazy(() => import("./BottomSheet.tsx"));

const AT_HAND = ["/", "/users", "/nodes"];

export function BottomBar({ pages, path }: { readonly pages: readonly NavPage[]; readonly path: string }) {
  const words = useWords("shell");
  const [open, setOpen] = useState<"more" | "create">();
  const all = useAllWords();
  const can = useCan();
  const me = useMe();
  const creates = PAGES.filter((page) => page.creates === true && barOf(page, can, me) === undefined);
  const tabs = AT_HAND.flatMap((to) => pages.filter((page) => page.path === to));
  const [first, second, ...rest] = tabs.map(({ path: to, title, nav: { icon: Icon } }) => (
    <Link
      key={to}
      href={to}
      className={classes["tab"] ?? ""}
      {...(isWithin(path, to) ? { "aria-current": "page" } : {})}
    >
      <Icon size={20} stroke={1.75} />
      {title(all)}
    </Link>
  ));
  return (
    <nav className={classes["bottom"]} aria-label={words.navigation}>
      {first}
      {second}
      {creates.length === 0 ? null : (
        <button type="button" className={classes["tab"]} aria-label={words.add} onClick={() => setOpen("create")}>
          <span className={classes["create"]}>
            <IconPlus size={22} aria-hidden />
          </span>
        </button>
      )}
      {rest}
      <button type="button" className={classes["tab"]} onClick={() => setOpen("more")} aria-expanded={open === "more"}>
        <IconDots size={20} stroke={1.75} aria-hidden />
        {words.more}
      </button>
      <Suspense>
        {open === undefined ? null : (
          <BottomSheet pages={pages} creates={creates} path={path} what={open} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </nav>
  );
}
