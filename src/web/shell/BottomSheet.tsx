// What the bar below the page opens on phones: all pages, or what can be created.
import { Drawer } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import type { Page } from "../page.ts";
import { useWords } from "../words/words.ts";
import { isWithin, navGroups, type NavPage } from "./nav.ts";
import { useAllWords } from "./words.ts";
import classes from "./shell.module.css";

export interface BottomSheetProps {
  readonly what: "more" | "create";
  readonly pages: readonly NavPage[];
  readonly creates: readonly Page[];
  readonly path: string;
  readonly onClose: () => void;
}

export default function BottomSheet({ what, pages, creates, path, onClose }: BottomSheetProps) {
  const words = useWords("shell");
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      radius="lg"
      styles={{ content: { height: "auto", flex: "0 0 auto" }, inner: { alignItems: "flex-end" } }}
      size="auto"
      title={what === "create" ? words.add : words.navigation}
      closeButtonProps={{ "aria-label": words.close, size: 44 }}
    >
      {what === "create"
        ? creates.map((page) => <SheetItem key={page.path} page={page} onFollow={onClose} current={false} />)
        : navGroups(pages).map(({ group, pages: listed }) => (
            <div key={group}>
              {words.groups[group] === "" ? null : <div className={classes["sheetGroup"]}>{words.groups[group]}</div>}
              {listed.map((page) => (
                <SheetItem key={page.path} page={page} onFollow={onClose} current={isWithin(path, page.path)} />
              ))}
            </div>
          ))}
    </Drawer>
  );
}

interface SheetItemProps {
  readonly page: Page;
  readonly current: boolean;
  readonly onFollow: () => void;
}

function SheetItem({ page, current, onFollow }: SheetItemProps) {
  const all = useAllWords();
  const Icon = page.nav?.icon ?? IconPlus;
  return (
    <Link
      href={page.path}
      onClick={onFollow}
      className={classes["sheetItem"] ?? ""}
      {...(current ? { "aria-current": "page" } : {})}
    >
      <Icon size={20} stroke={1.75} />
      {page.title(all)}
    </Link>
  );
}
