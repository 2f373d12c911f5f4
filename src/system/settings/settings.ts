// The settings in memory: read anywhere without a query, kept by every commit that writes one, whichever process's it is.
import { sql, type Committer, type Reader } from "../../db/index.ts";
import { parseAddressList, type AddressList } from "../../lib/addresses.ts";
import { openSecret } from "../../lib/seal.ts";
import { SETTINGS, settingEntry } from "./catalogue.ts";
import { SettingRows, type SettingRow } from "./setting.entity.ts";

export interface SettingsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly secretKey: Uint8Array;
}

export class Settings {
  readonly #deps: SettingsDeps;
  #rows: ReadonlyMap<string, SettingRow> = new Map();
  #rowsAtStart: ReadonlyMap<string, SettingRow> = this.#rows;
  readonly #lists = new Map<string, { text: string; list: AddressList }>();
  #unlisten: (() => void) | undefined;

  constructor(deps: SettingsDeps) {
    this.#deps = deps;
  }

  /** Reads what is stored and follows commits from then on. */
  static async open(deps: SettingsDeps): Promise<Settings> {
    const settings = new Settings(deps);
    settings.#unlisten = deps.commits.onCommit(({ changes }) => {
      const written = changes.filter((change) => change.table === SettingRows.name);
      if (written.length === 0) return;
      const rows = new Map(settings.#rows);
      for (const { id, after } of written) {
        if (after === undefined) rows.delete(String(id));
        else rows.set(String(id), after as SettingRow);
      }
      settings.#rows = rows;
    });
    await settings.#read();
    settings.#rowsAtStart = settings.#rows;
    return settings;
  }

  close(): void {
    this.#unlisten?.();
  }

  /** Reads all rows; what a commit wrote meanwhile stays as the commit left it. */
  async #read(): Promise<void> {
    const rows = await this.#deps.reads.rows(SettingRows, sql`select * from settings`);
    this.#rows = new Map([...rows.map((row) => [row.id, row] as const), ...this.#rows]);
  }

  /** The stored row of a key, if it was ever written. */
  row(key: string): SettingRow | undefined {
    return this.#rows.get(key);
  }

  /** The value that holds: stored or default, and what an empty one means. Opens sealed ones. Throws for a key that does not exist. */
  text(key: string): string {
    return this.#text(key, this.#rows);
  }

  /** The value that held when the panel started: for what a restart adopts, such as the server's time zone (rule settings.value.5). */
  textAtStart(key: string): string {
    return this.#text(key, this.#rowsAtStart);
  }

  #text(key: string, rows: ReadonlyMap<string, SettingRow>): string {
    const entry = settingEntry(key);
    if (!entry) throw new Error(`there is no setting ${key}`);
    const stored = rows.get(key)?.value ?? entry.default;
    if (stored === "") return entry.whenEmpty ?? "";
    if (!entry.secret) return stored;
    return openSecret(this.#deps.secretKey, stored, { table: SettingRows.name, column: "value", id: key });
  }

  number(key: string): number {
    return Number(this.text(key));
  }

  flag(key: string): boolean {
    return this.text(key) === "true";
  }

  /** A list of addresses; parsed once for each value. */
  addresses(key: string): AddressList {
    const text = this.text(key);
    const known = this.#lists.get(key);
    if (known?.text === text) return known.list;
    const list = parseAddressList(text);
    this.#lists.set(key, { text, list });
    return list;
  }

  /** Rows as the wire shows them, every key that may be seen, in the order of keys. */
  visible(): SettingView[] {
    const keys = Object.entries(SETTINGS).filter(([, entry]) => entry.internal !== true);
    return keys.map(([key]) => viewOf(key, this.#rows.get(key))).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
}

/** A row of `GET /api/settings` (rule settings.list.1). */
export interface SettingView {
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly panelWide: boolean;
  readonly secret: boolean;
}

export function viewOf(key: string, row: SettingRow | undefined): SettingView {
  const entry = settingEntry(key);
  const value = row?.value ?? entry?.default ?? "";
  return {
    key,
    value: entry?.secret ? "" : value,
    createdAt: row?.createdAt ?? 0,
    updatedAt: row?.updatedAt ?? 0,
    panelWide: entry?.panelWide === true,
    secret: entry?.secret === true,
  };
}
