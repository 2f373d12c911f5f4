// The routes by which the command line reads and changes records: the API's own, so that every rule holds for both.
// Each feature names its own (`StaticPart.commands`).
import type { AnyFeature } from "../feature/index.ts";
import type { Route } from "../http/index.ts";
import { FEATURES } from "./features.ts";

const features: readonly AnyFeature[] = FEATURES;

export const COMMAND_ROUTES: ReadonlySet<string> = new Set(features.flatMap(({ commands = [] }) => commands));

/** The features that have them: those that are opened where no panel runs. */
export const COMMAND_FEATURES: ReadonlySet<string> = new Set(
  features.filter(({ commands }) => commands !== undefined).map(({ name }) => name),
);

export function commandRoutes(routes: readonly Route[]): Route[] {
  return routes.filter(({ method, path }) => COMMAND_ROUTES.has(`${method} ${path}`));
}
