// Above the page on phones: the house, search, the connection.
import { ActionIcon } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useWords } from "../words/words.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { LinkSign } from "./LinkSign.tsx";
import { Mark } from "./Mark.tsx";
import classes from "./shell.module.css";

export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const words = useWords("shell");
  return (
    <header className={classes["top"]}>
      <Mark />
      <span className={classes["topTitle"]}>{words.title}</span>
      <LinkSign small />
      <ActionIcon size={44} onClick={onSearch} aria-label={words.search}>
        <IconSearch size={20} />
      </ActionIcon>
      <AccountMenu small />
    </header>
  );
}
