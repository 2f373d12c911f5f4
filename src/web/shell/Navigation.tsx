// The navigation of wide screens: pages by group, search above, connection and account below. On middle widths only the
// icons.
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, type RefObject } from "react";
import { Link } from "wouter";
import { useWords } from "../words/words.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { LinkSign } from "./LinkSign.tsx";
import { Mark } from "./Mark.tsx";
import { isWithin, navGroups, type NavPage } from "./nav.ts";
import { useAllWords } from "./words.ts";
import classes from "./navigation.module.css";

export interface NavigationProps {
  readonly pages: readonly NavPage[];
  readonly path: string;
  readonly onSearch: () => void;
}

/** The key that opens the palette, as this device writes it. */
const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? ["⌘", "K"] : ["Ctrl", "K"];

export function Navigation({ pages, path, onSearch }: NavigationProps) {
  const words = useWords("shell");
  const all = useAllWords();
  const list = useRef<HTMLElement>(null);
  useOpenInSight(list, pages.find((page) => isWithin(path, page.path))?.path);
  return (
    <header className={classes["side"]}>
      <Link href="/" className={classes["brand"] ?? ""}>
        <Mark />
        <span className={classes["text"]}>{words.title}</span>
      </Link>
      <button type="button" className={classes["search"]} onClick={onSearch} title={words.search}>
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={classes["text"]}>{words.search}</span>
        <span className={classes["mod"]}>
          {MOD.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      </button>
      <nav ref={list} aria-label={words.navigation} className={classes["nav"]}>
        {navGroups(pages).map(({ group, pages: listed }) => (
          <div key={group} className={classes["group"]}>
            {words.groups[group] === "" ? null : <div className={classes["groupName"]}>{words.groups[group]}</div>}
            {listed.map(({ path: to, title, nav: { icon: Icon } }) => (
              <Link
                key={to}
                href={to}
                className={classes["item"] ?? ""}
                title={title(all)}
                {...(isWithin(path, to) ? { "aria-current": "page" } : {})}
              >
                <Icon size={17} stroke={1.75} />
                <span className={classes["text"]}>{title(all)}</span>
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className={classes["foot"]}>
        <LinkSign />
        <AccountMenu />
      </div>
    </header>
  );
}

/**
 * On a low screen the list scrolls: the page that is open stays in sight, also when what stands below takes more of the
 * height.
 */
function useOpenInSight(list: RefObject<HTMLElement | null>, open: string | undefined): void {
  useEffect(() => {
    if (list.current === null) return;
    const seen = new ResizeObserver(([entry]) => {
      entry?.target.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    });
    seen.observe(list.current);
    return () => seen.disconnect();
  }, [list, open]);
}
