// The signed-in person's own page: account, how things are shown, password, second factor, sessions, identity
// providers.
import { PageHead } from "../parts/Record.tsx";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { AccountPanel } from "./AccountPanel.tsx";
import { FactorPanel } from "./FactorPanel.tsx";
import { LinksPanel } from "./LinksPanel.tsx";
import classes from "./me.module.css";
import { PasswordPanel } from "./PasswordPanel.tsx";
import { SessionsPanel } from "./SessionsPanel.tsx";
import { ShownPanel } from "./ShownPanel.tsx";

export default function MePage() {
  const words = useWords("me");
  usePageTitle(words.title);
  return (
    <>
      <PageHead title={words.title} />
      <div className={classes["columns"]}>
        <div className={classes["column"]}>
          <AccountPanel />
          <ShownPanel />
          <PasswordPanel />
        </div>
        <div className={classes["column"]}>
          <FactorPanel />
          <SessionsPanel />
          <LinksPanel />
        </div>
      </div>
    </>
  );
}
