// Every API route of subscriptions. What clients fetch is served outside the API, see `subscriptionPlugin`.
import type { Route } from "../http/index.ts";
import { appConfigsRoute } from "./app-configs/app-configs.routes.ts";
import { subFormatsRoute } from "./delivery/formats.routes.ts";
import { pageTrialRoute } from "./delivery/page-trial.routes.ts";
import { previewRoutes, type PreviewDeps } from "./delivery/preview.routes.ts";
import { verdictRoute, type VerdictDeps } from "./verdict/verdict.routes.ts";

export function subscriptionsRoutes(deps: PreviewDeps & VerdictDeps): Route[] {
  return [
    subFormatsRoute(deps),
    appConfigsRoute(deps),
    ...previewRoutes(deps),
    verdictRoute(deps),
    pageTrialRoute(deps),
  ];
}
