// The title of the page: in the browser's tab, and for readers who are told of a new page.
import { useEffect } from "react";
import { useWords } from "../words/words.ts";

/** Sets the tab's title while the page is open: `usePageTitle(user.username)`. The panel's name follows. */
export function usePageTitle(title: string): void {
  const { title: panel } = useWords("shell");
  useEffect(() => {
    document.title = title === "" || title === panel ? panel : `${title} · ${panel}`;
  }, [title, panel]);
}
