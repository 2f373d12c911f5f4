// Decides who sees which page. Everybody sees the open pages. The shell draws the others, as soon as it is known who is
// signed in.
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Redirect, Route, Switch, useLocation, useSearch } from "wouter";
import { link } from "../api/live-link.ts";
import { useReachedAgain } from "../api/panel-reach.ts";
import { PAGES } from "../pages.ts";
import { Shell } from "../shell/Shell.tsx";
import { PageFrame } from "../shell/PageFrame.tsx";
import { signInPath } from "../session/destination.ts";
import { Hurdles } from "./Hurdles.tsx";
import { MeContext } from "../session/me.ts";
import { useSession } from "../session/session.ts";

const Unreached = lazy(() => import("../shell/Unreached.tsx"));

const OPEN = PAGES.filter(({ open }) => open === true);

export function Gate() {
  return (
    <Switch>
      {OPEN.map(({ path, page: Page }) => (
        <Route key={path} path={path}>
          <PageFrame path={path}>
            <Page />
          </PageFrame>
        </Route>
      ))}
      <Route>
        <Inside />
      </Route>
    </Switch>
  );
}

function Inside() {
  const session = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const queries = useQueryClient();
  // What the page shows may have become old while the panel was away.
  useReachedAgain(() => void queries.invalidateQueries());
  useEffect(() => link.whenRightsChange(() => void queries.invalidateQueries()), [queries]);
  if (session.status === "asking") return null;
  if (session.status === "failed") {
    return (
      <Suspense>
        <Unreached error={session.error} retry={session.retry} />
      </Suspense>
    );
  }
  if (session.status === "out") return <Redirect to={signInPath(search === "" ? path : `${path}?${search}`)} replace />;
  return (
    <MeContext value={session.me}>
      <Shell />
      <Hurdles />
    </MeContext>
  );
}
