// What the account's button opens: profile, theme, language, sign out.
import { Menu } from "@mantine/core";
import { IconLanguage, IconLogout, IconUserCircle } from "@tabler/icons-react";
import { Link } from "wouter";
import { ApiError } from "../api/call.ts";
import { refusalText } from "../parts/refusal.ts";
import { signOut } from "../session/session.ts";
import { LANGUAGES, type Language } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import { usePreferences } from "../browser/preferences.ts";
import { ThemeSwitch } from "./ThemeSwitch.tsx";
import { sayFailed } from "../browser/toasts.tsx";
import classes from "./account-menu.module.css";

export interface AccountItemsProps {
  readonly below: boolean;
  readonly onClose: () => void;
}

export default function AccountItems({ below, onClose }: AccountItemsProps) {
  const { account: words } = useWords("shell");
  const parts = useWords("parts");
  const { language, chooseLanguage } = usePreferences();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, cause } = refusalText(error, parts);
      sayFailed(title, cause);
    }
  };
  return (
    <Menu opened onClose={onClose} position={below ? "bottom-end" : "top-start"} width={232} shadow="md" returnFocus>
      <Menu.Target>
        <span className={classes["place"]} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href="/me" leftSection={<IconUserCircle size={16} aria-hidden />}>
          {words.profile}
        </Menu.Item>
        <Menu.Divider />
        <div className={classes["theme"]}>
          <span>{words.theme}</span>
          <ThemeSwitch />
        </div>
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconLanguage size={16} aria-hidden />}>{words.language}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {Object.entries(LANGUAGES).map(([tag, { name, direction }]) => (
              <Menu.Item
                key={tag}
                lang={tag}
                dir={direction}
                fw={tag === language ? 600 : 400}
                onClick={() => chooseLanguage(tag as Language)}
              >
                {name}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
