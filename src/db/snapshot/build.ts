// A database that is built of rows, whichever it is: the schema that the rows have, the rows, what later versions made
// of both, and last what is done and checked before it counts.
import type { Dialect, Row, SqlValue } from "../table.ts";
import type { Loader, SealText } from "./loader.ts";
import type { NeutralRow, TableShape } from "./snapshot.ts";

export interface Building {
  /** The newest migration of the rows' schema. Throws `SchemaUnknown` for one that this version has not. */
  readonly schema: string;
  readonly seal: SealText;
  /** Puts all rows in. */
  readonly fill: (loader: Loader) => Promise<void>;
  /** The last word on what was built. */
  readonly finish: (built: Built) => Promise<void>;
}

/** All rows are there, in today's schema. */
export interface Built {
  readonly dialect: Dialect;
  /** As `Loader.load`. */
  load(table: string, rows: readonly NeutralRow[]): Promise<void>;
  /** Carries out a statement in the dialect's own form; what it returns, as the driver gives it. */
  run(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** All rows of a table, some at a time. */
  rows(table: TableShape): AsyncIterable<readonly Row[]>;
}

/** A file that is not there yet, or a schema of that name that is not there yet; `end`: see `PostgresBuilding`. */
export type BuildTarget =
  | { readonly sqlite: string }
  | {
      readonly postgresql: {
        readonly url: string;
        readonly schema: string;
        readonly end?: "rollback" | readonly string[];
      };
    };

/** Resolves once it is there, whole and on disk. Leaves nothing where it throws. */
export async function buildDatabase(target: BuildTarget, building: Building): Promise<void> {
  if ("sqlite" in target) {
    const { buildSqlite } = await import("../sqlite/build.ts");
    return buildSqlite({ ...building, file: target.sqlite });
  }
  const { url, schema: name, end = [] } = target.postgresql;
  const { buildPostgres } = await import("../postgresql/build.ts");
  return buildPostgres({ ...building, url, name, end });
}
