// What features say of their own routes, so that the model of permissions has them without a line of its own for each.
// A feature says it in `test/<feature>/privilege.ts`, by hand: none of it is read from the panel.
import type { Chance } from "../simulation/chance.ts";
import { PLAN_PRIVILEGES } from "../accounts/plans/privilege.ts";
import { BACKUP_PRIVILEGES } from "../backups/privilege.ts";
import type { Call } from "./call.ts";
import type { Rule } from "./rules.ts";
import type { Effect } from "./things.ts";

/** What a form draws with. */
export interface Drawing {
  readonly chance: Chance;
  /** A name that nothing has yet. */
  fresh(prefix: string): string;
  /** One of a collection, by name; sometimes one that there is not. */
  some(collection: string): string;
  /** A path that names such a one. */
  id(collection: string): Pick<Call, "path">;
}

export interface FeaturePrivileges {
  /** Scopes that no other feature has. */
  readonly scopes?: readonly string[];
  /** Tables that people's calls write, with the key `id`. */
  readonly tables?: readonly string[];
  /** By route, who may call it and what a success may write. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** By route, how to fill it in at random. */
  readonly forms: Readonly<Record<string, (drawing: Drawing) => Omit<Call, "by" | "route">>>;
  /** By route, what a success does to the model. */
  readonly effects?: Readonly<Record<string, Effect>>;
}

export const FEATURES: readonly FeaturePrivileges[] = [PLAN_PRIVILEGES, BACKUP_PRIVILEGES];

/** One part of all features. */
export function ofFeatures<P extends "rules" | "forms" | "effects">(
  part: P,
): Readonly<Record<string, NonNullable<FeaturePrivileges[P]>[string]>> {
  return Object.assign({}, ...FEATURES.map((each) => each[part] ?? {}));
}
