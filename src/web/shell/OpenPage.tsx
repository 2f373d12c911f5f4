// The frame of pages without a session: one card in the middle, language and theme below it.
import { Group, Select } from "@mantine/core";
import type { ReactNode } from "react";
import { usePreferences } from "../browser/preferences.ts";
import { Mark } from "./Mark.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";
import { LANGUAGES, type Language } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import classes from "./open-page.module.css";

export function OpenPage({ children, wide }: { readonly children: ReactNode; readonly wide?: boolean }) {
  const words = useWords("shell");
  const { language, chooseLanguage } = usePreferences();
  return (
    <div className={classes["open"]}>
      <main className={wide ? classes["wideCard"] : classes["card"]}>
        <div className={classes["brand"]}>
          <Mark />
          <span>{words.title}</span>
        </div>
        <div className={classes["body"]}>{children}</div>
      </main>
      <Group gap="sm" justify="center">
        <Select
          aria-label={words.account.language}
          data={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
          value={language}
          onChange={(chosen) => chosen !== null && chooseLanguage(chosen as Language)}
          allowDeselect={false}
          variant="unstyled"
          w={110}
        />
        <ThemeSwitch />
      </Group>
    </div>
  );
}
