// The apps of the subscription page while they are edited: pure changes of their list, by platform.
import type { z } from "zod";
import type { SubPageTrialAnswer } from "../../../subscriptions/delivery/page-trial.schema.ts";

export type App = z.output<typeof SubPageTrialAnswer>["apps"][number];
export type Platform = keyof App["stores"];

/** In the order of the page. Names of systems are nobody's to translate. */
export const PLATFORMS: readonly { readonly value: Platform; readonly label: string }[] = [
  { value: "ios", label: "iOS" },
  { value: "android", label: "Android" },
  { value: "windows", label: "Windows" },
  { value: "macos", label: "macOS" },
  { value: "linux", label: "Linux" },
];

/** An app with its place in the whole list. */
export interface Placed {
  readonly app: App;
  readonly place: number;
}

/** What a platform lists, in its order. */
export function appsOn(apps: readonly App[], platform: Platform): readonly Placed[] {
  return apps.map((app, place) => ({ app, place })).filter(({ app }) => app.stores[platform] !== undefined);
}

/** The whole list after an app was moved in that of a platform: apps that are not on it keep their places. */
export function movedOn(apps: readonly App[], platform: Platform, from: number, to: number): readonly App[] {
  const listed = appsOn(apps, platform);
  const row = listed[from];
  if (!row || to < 0 || to >= listed.length) return apps;
  const order = listed.toSpliced(from, 1).toSpliced(to, 0, row);
  const next = [...apps];
  for (const [index, { place }] of listed.entries()) {
    const app = order[index]?.app;
    if (app) next[place] = app;
  }
  return next;
}

/** Without an app on a platform; one that no platform lists any more is gone. */
export function withoutOn(apps: readonly App[], platform: Platform, place: number): readonly App[] {
  return apps.flatMap((app, index) => {
    if (index !== place) return [app];
    const { [platform]: _gone, ...stores } = app.stores;
    return Object.keys(stores).length === 0 ? [] : [{ ...app, stores }];
  });
}

/** Lines that say something. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
