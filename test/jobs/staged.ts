// What lies staged for jobs, and who has a place for it: rows of the database, and files where one panel is alone.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase } from "../database.ts";

export interface Staged {
  /** Parts, or files of them. */
  readonly staged: number;
  readonly uploads: number;
}

export async function stagedAt(panel: { readonly databaseUrl: string; readonly directory: string }): Promise<Staged> {
  const db = await connectTestDatabase(panel.databaseUrl, entities);
  try {
    const [parts] = await db.reads.query(
      sql<{ n: number | string }>`select count(*) as n from job_parts where sort = 'staged'`,
    );
    const [row] = await db.reads.query(sql<{ uploads: string | readonly unknown[] }>`select uploads from uploads`);
    const uploads = typeof row?.uploads === "string" ? JSON.parse(row.uploads) : (row?.uploads ?? []);
    const files = await readdir(join(panel.directory, "uploads")).catch(() => []);
    return { staged: Number(parts?.n) + files.length, uploads: uploads.length };
  } finally {
    await db.close();
  }
}
