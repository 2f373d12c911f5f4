// The routes by which the command line reads and changes records: the API's own, so that every rule holds for both.
import type { Route } from "../http/index.ts";

/**
 * None of them asks for more of a request than `writeRoute` gives, and none starts a job: a job goes on in the name of
 * an account, which the command line is not.
 */
const COMMAND_ROUTES: ReadonlySet<string> = new Set([
  "GET /users",
  "GET /users/{id}",
  "GET /users/{id}/verdict",
  "PATCH /users/{id}",
  "POST /users/{id}/renew",
  "GET /jobs",
  "GET /jobs/{id}",
  "POST /jobs/{id}/cancel",
]);

/** The features that have them: those that are opened where no panel runs. */
export const COMMAND_FEATURES: ReadonlySet<string> = new Set(["jobs", "accounts"]);

export function commandRoutes(routes: readonly Route[]): Route[] {
  return routes.filter(({ method, path }) => COMMAND_ROUTES.has(`${method} ${path}`));
}
