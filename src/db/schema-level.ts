// Which panels may run on a schema.
//
// A panel's schema level is the newest migration that it has. The package's version does not rise with every landing,
// and a commit is not ordered; migrations are both there and ordered at every landing that concerns the schema.
//
// Invariants:
// - Each migration that was applied has, in its own row, the name of the migration that a panel must have at least to
//   run on the schema that it left. The row and the name are written in the transaction of the migration.
// - A migration that is additive (see `scripts/additive.ts`) leaves that name as it was; any other names itself.
// - So an older panel needs to know nothing of newer migrations: it runs if it has each migration that is named by one
//   that it does not have. It never migrates then.

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly name: string;
  /** The migration that a panel must have; null or absent: this one, since nothing says that it is additive. */
  readonly oldest?: string | null;
}

/** From this migration on, the database keeps who may run on it. */
export const MARKED_SINCE = "Migration20261128123500_oldest_panel";

/** The database was written by a newer version that this one cannot run beside; going on would damage it. */
export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
}

/** What a panel finds to do. */
export interface Standing {
  /** Migrations that the database lacks. */
  readonly pending: readonly string[];
  /** The newest migration of the database that the panel lacks, and may run on; undefined: it has all. */
  readonly newer: string | undefined;
}

/**
 * Compares the migrations of a database, in the order in which they were applied, with those of a panel. Throws
 * `SchemaTooNew`.
 */
export function standingOf(applied: readonly AppliedMigration[], known: ReadonlySet<string>): Standing {
  const done = new Set(applied.map(({ name }) => name));
  const pending = [...known].filter((name) => !done.has(name)).toSorted();
  const unknown = applied.filter(({ name }) => !known.has(name));
  const newer = unknown.at(-1)?.name;
  if (newer === undefined) return { pending, newer };
  const level = [...known].toSorted().at(-1) ?? "none";
  const needed = unknown.map((each) => oldestOf(each)).findLast((oldest) => !known.has(oldest));
  if (needed !== undefined)
    throw new SchemaTooNew(
      `the database was written by a newer version of Signalbox (its schema is at ${newer} and takes panels from ${needed} on, this one is at ${level}); start that version, or restore a backup made before the update`,
    );
  if (pending.length > 0)
    throw new SchemaTooNew(
      `the database was written by a newer version of Signalbox (its schema is at ${newer}) that lacks ${pending[0]}, which this one has: neither of them is the older one, so this one does not migrate it; start that version`,
    );
  return { pending, newer };
}

/** The names that a run of migrations leaves in their rows. `before`: what was applied before, in that order. */
export function oldestPanels(
  before: readonly AppliedMigration[],
  run: readonly { readonly name: string; readonly additive: boolean }[],
): AppliedMigration[] {
  const last = before.at(-1);
  let oldest = last && oldestOf(last);
  return run.map(({ name, additive }) => {
    oldest = additive && oldest !== undefined ? oldest : name;
    return { name, oldest };
  });
}

function oldestOf({ name, oldest }: AppliedMigration): string {
  return oldest ?? name;
}
