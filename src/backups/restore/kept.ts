// What a restore leaves as it is in this install (rule backups.restore.5): where it is reached, and values that were
// asked for with it.
import { neutralRow, shapeOf, sql, type NeutralRow, type Row, type Table } from "../../db/index.ts";
import { isSealed, openSecret, SealError } from "../../lib/seal.ts";
import type { Kept, ReceiverDeps } from "../load/receiver.ts";

type KeptDeps = Pick<ReceiverDeps, "database" | "reads" | "secretKey" | "clock">;

/** Where the panel listens and how it is reached, as setup may say it with an archive. */
export const WEB_KEYS = [
  "web_domain",
  "web_basepath",
  "web_listen_ip",
  "web_listen_port",
  "web_tls_mode",
  "web_cert_file",
  "web_key_file",
] as const;
/** What stays where they do. */
const KEPT_KEYS: readonly string[] = [...WEB_KEYS, "web_cert_id"];
/** How a panel answers that is not set up: the default needs a certificate, and setup has made none yet. */
const UNTIL_SETUP: Readonly<Record<string, string>> = { web_tls_mode: "none" };
/** Nothing stays. */
export const NOTHING_KEPT: Kept = { settings: { keys: [], rows: [] }, certificate: undefined };

/** These values, whatever stays and whatever the archive says. `now`: Unix seconds. */
export function withSettings(kept: Kept, settings: Readonly<Record<string, string>>, now: number): Kept {
  const named = Object.keys(settings);
  const given = named.map((id) => ({ id, value: settings[id] ?? "", created_at: now, updated_at: now }));
  const { keys, rows } = kept.settings;
  return {
    ...kept,
    settings: {
      keys: [...new Set([...keys, ...named])],
      rows: [...rows.filter(({ id }) => typeof id !== "string" || !named.includes(id)), ...given],
    },
  };
}

/**
 * The settings that say where the panel is reached as they are now, and the certificate that they name. `pending`: the
 * panel is not set up.
 */
export async function keptOf(deps: KeptDeps, pending: boolean): Promise<Kept> {
  const rows = await rowsOf(deps, "settings", KEPT_KEYS);
  const named = Number(rows.find(({ id }) => id === "web_cert_id")?.["value"] ?? "");
  const [certificate] = Number.isInteger(named) && named > 0 ? await rowsOf(deps, "certificates", [named]) : [];
  const kept = { settings: { keys: KEPT_KEYS, rows }, certificate };
  if (!pending) return kept;
  const stored = new Set(rows.map(({ id }) => id));
  const unset = Object.entries(UNTIL_SETUP).filter(([key]) => !stored.has(key));
  return withSettings(kept, Object.fromEntries(unset), Math.floor(deps.clock.now() / 1000));
}

/** Rows by key, as an archive has them. */
async function rowsOf(
  { database, reads, secretKey }: KeptDeps,
  name: string,
  ids: readonly (string | number)[],
): Promise<NeutralRow[]> {
  const table = database.tables.named(name);
  const key = sql.ref(table.key.name);
  const rows: Row[] = await reads.query(sql`select * from ${sql.table(name)} where ${key} in (${sql.join(ids)})`);
  return rows.map((row) => openedRow(table, neutralRow(shapeOf(table), row), secretKey));
}

/** Its secrets stand in it opened; one that does not open is lost. */
function openedRow({ name, key, sealed }: Table, row: NeutralRow, secretKey: Uint8Array): NeutralRow {
  const opened = sealed.flatMap(({ column }) => {
    const text = row[column];
    if (typeof text !== "string" || !isSealed(text)) return [];
    return [
      [column, { $secret: open(secretKey, text, { table: name, column, id: row[key.name] as string | number }) }],
    ];
  });
  return { ...row, ...Object.fromEntries(opened) };
}

function open(key: Uint8Array, text: string, place: Parameters<typeof openSecret>[2]): string | null {
  try {
    return openSecret(key, text, place);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
