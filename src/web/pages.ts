// The pages: where each is, and what the navigation says of it. A page is loaded when it is first opened.
//
// The build reads this table and the ones that it is made of out of their sources (`vite/page-table.ts`).
import { CONNECT_PAGES } from "./pages/connect.tsx";
import { NODE_PAGES } from "./pages/nodes.tsx";
import { OPEN_PAGES } from "./pages/open.tsx";
import { OPERATOR_PAGES } from "./pages/operators.tsx";
import { OWN_PAGES } from "./pages/own.tsx";
import { PEOPLE_PAGES } from "./pages/people.tsx";
import { POOL_PAGES } from "./pages/pool.tsx";
import { SYSTEM_PAGES } from "./pages/system.tsx";
import { WATCH_PAGES } from "./pages/watch.tsx";
import type { Page } from "./page.ts";

/** First match wins. */
export const PAGES: readonly Page[] = [
  ...OPEN_PAGES,
  ...OWN_PAGES,
  ...PEOPLE_PAGES,
  ...OPERATOR_PAGES,
  ...NODE_PAGES,
  ...POOL_PAGES,
  ...WATCH_PAGES,
  ...CONNECT_PAGES,
  ...SYSTEM_PAGES,
];
