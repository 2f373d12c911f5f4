// Traffic and reports as the panel takes them: the routes over the traffic's history.
import type { AnyFeature, Core, Opened } from "../feature/index.ts";
import type { TrafficQuestions } from "../history/index.ts";
import { reportRoutes } from "./reports.routes.ts";
import { reportsWords } from "./reports.words.ts";
import { sparklineRoutes } from "./sparklines.routes.ts";
import { trafficRoutes } from "./traffic.routes.ts";

/** What reports ask of the history. */
interface ReportsNeeds {
  readonly traffic: TrafficQuestions;
}

function open({ clock, reads }: Core, { traffic }: ReportsNeeds): Opened {
  const deps = { reads, traffic, now: () => Math.floor(clock.now() / 1000) };
  return { routes: [...trafficRoutes(deps), ...sparklineRoutes(deps), ...reportRoutes(deps)] };
}

export const feature = {
  name: "reports",
  words: reportsWords,
  open,
} as const satisfies AnyFeature;
