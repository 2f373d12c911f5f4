// The frame of every page with a session: navigation, what holds everywhere by keyboard, and the page itself.
import { lazy, Suspense, useEffect, useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import { link } from "../api/live-link.ts";
import { barOf } from "../page.ts";
import { PAGES } from "../pages.ts";
import { useCan, useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { BottomBar } from "./BottomBar.tsx";
import { KeptHere } from "./KeptHere.tsx";
import { useKeys } from "../browser/keys.ts";
import { MissingPage } from "./MissingPage.tsx";
import { Navigation } from "./Navigation.tsx";
import { navPages } from "./nav.ts";
import { PageFrame } from "./PageFrame.tsx";
import { TopBar } from "./TopBar.tsx";
import { useAllWords } from "./words.ts";
import classes from "./shell.module.css";

const Palette = lazy(() => import("./Palette.tsx"));
const KeyList = lazy(() => import("./KeyList.tsx"));

export function Shell() {
  const words = useWords("shell");
  const all = useAllWords();
  const can = useCan();
  const me = useMe();
  const [path, navigate] = useLocation();
  const [over, setOver] = useState<"palette" | "keys">();
  const pages = navPages(can);
  const inside = PAGES.filter(({ open }) => !open).map((page) => ({ ...page, bar: barOf(page, can, me) }));

  const live = can("stats:read");
  useEffect(() => {
    link.want(live);
    return () => link.want(false);
  }, [live]);

  useKeys({
    "mod+k": { label: words.keys.palette, run: () => setOver("palette") },
    "?": { label: words.keys.list, run: () => setOver("keys") },
    ...Object.fromEntries(
      pages.flatMap(({ nav, path: to, title }) =>
        nav.key === undefined
          ? []
          : [[`g ${nav.key}`, { label: words.keys.goTo(title(all)), run: () => navigate(to) }]],
      ),
    ),
  });

  return (
    <div className={classes["shell"]}>
      <a className={classes["skip"]} href="#page">
        {words.skip}
      </a>
      <Navigation pages={pages} path={path} onSearch={() => setOver("palette")} />
      <TopBar onSearch={() => setOver("palette")} />
      <main id="page" className={classes["main"]} tabIndex={-1}>
        <Switch>
          {inside.map(({ path: pattern, page: Page, bleed, bar }) => (
            <Route key={pattern} path={pattern}>
              <div className={bleed && bar === undefined ? classes["bleed"] : classes["page"]}>
                <PageFrame key={path} path={pattern}>
                  {bar === undefined ? <Page /> : <MissingPage bar={bar} />}
                </PageFrame>
              </div>
            </Route>
          ))}
          <Route>
            <div className={classes["page"]}>
              <MissingPage />
            </div>
          </Route>
        </Switch>
      </main>
      <BottomBar pages={pages} path={path} />
      <KeptHere />
      <Suspense>
        {over === "palette" ? <Palette onClose={() => setOver(undefined)} /> : null}
        {over === "keys" ? <KeyList onClose={() => setOver(undefined)} /> : null}
      </Suspense>
    </div>
  );
}
