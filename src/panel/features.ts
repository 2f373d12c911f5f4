// The panel's features. A new one is a folder, a line here, and a migration where it has tables.
import { feature as access } from "../access/index.ts";
import { feature as accounts } from "../accounts/index.ts";
import { feature as backups } from "../backups/index.ts";
import { feature as certificates } from "../certificates/index.ts";
import { feature as events } from "../events/index.ts";
import { feature as fleet } from "../fleet/index.ts";
import { feature as health } from "../health/index.ts";
import { feature as history } from "../history/index.ts";
import { feature as jobs } from "../jobs/index.ts";
import { feature as pool } from "../pool/index.ts";
import { feature as reports } from "../reports/index.ts";
import { feature as staged } from "../staged/index.ts";
import { feature as subscriptions } from "../subscriptions/index.ts";
import { feature as system } from "../system/index.ts";
import { feature as uploads } from "../uploads/index.ts";
import {
  compose,
  type Composition,
  type EventName as NameOf,
  type PanelCore,
  type Provided,
  type SettingKey as KeyOf,
} from "./compose.ts";

export const FEATURES = [
  access,
  system,
  certificates,
  pool,
  uploads,
  staged,
  jobs,
  accounts,
  subscriptions,
  history,
  fleet,
  health,
  reports,
  events,
  backups,
] as const;
export type Features = typeof FEATURES;

export type SettingKey = KeyOf<Features>;
export type EventName = NameOf<Features>;
export type Core = PanelCore<Features>;

/** What a panel is made of: these features, and maybe more. */
export type PanelParts = Composition<Features>;
export type Answers = Provided<Features>;

/** The panel as it is shipped. */
export const PANEL = compose<Features>(FEATURES);
