// The settings in memory: read anywhere without a query, kept by every commit that writes one, whichever process's it
// is.
import { sealPlace, sql, type Committer, type Reader } from "../../db/index.ts";
import { parseAddressList, type AddressList } from "../../lib/addresses.ts";
import { nowhere, whole } from "../../http/index.ts";
import { openSecret } from "../../lib/seal.ts";
import { takesOf, type SettingEntries, type SettingEntry, type SettingsReader } from "../../feature/index.ts";
import { SettingRows, type SettingRow } from "./setting.entity.ts";
import type { SettingView } from "./settings.schema.ts";

export interface SettingsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly secretKey: Uint8Array;
  /** Every setting that there is, of all features. */
  readonly entries: SettingEntries;
}

/** `K`: the keys that may be asked for. */
export class Settings<in K extends string = string> implements SettingsReader<K> {
  readonly #deps: SettingsDeps;
  #rows: ReadonlyMap<string, SettingRow> = new Map();
  #rowsAtStart: ReadonlyMap<string, SettingRow> = this.#rows;
  readonly #lists = new Map<string, { text: string; list: AddressList }>();
  #unlisten: (() => void) | undefined;

  constructor(deps: SettingsDeps) {
    this.#deps = deps;
  }

  /** Reads what is stored and follows commits from then on. */
  static async open<K extends string = string>(deps: SettingsDeps): Promise<Settings<K>> {
    const settings = new Settings<K>(deps);
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

  /** The entry of a key, or undefined. */
  entry(key: string): SettingEntry | undefined {
    const { entries } = this.#deps;
    return Object.hasOwn(entries, key) ? entries[key] : undefined;
  }

  /** The stored row of a key, if it was ever written. */
  row(key: string): SettingRow | undefined {
    return this.#rows.get(key);
  }

  /**
   * The value that holds: stored or default, and what an empty one means. Opens sealed ones. Throws for a key that does
   * not exist.
   */
  text(key: K): string {
    return this.#text(key, this.#rows);
  }

  /**
   * The value that held when the panel started: for what a restart adopts, such as the server's time zone (rule
   * settings.value.5).
   */
  textAtStart(key: K): string {
    return this.#text(key, this.#rowsAtStart);
  }

  #text(key: string, rows: ReadonlyMap<string, SettingRow>): string {
    const entry = this.entry(key);
    if (!entry) throw new Error(`there is no setting ${key}`);
    const stored = rows.get(key)?.value ?? entry.default;
    if (stored === "") return entry.whenEmpty ?? "";
    if (!entry.secret) return stored;
    return openSecret(this.#deps.secretKey, stored, sealPlace(SettingRows, "value", key));
  }

  number(key: K): number {
    return Number(this.text(key));
  }

  flag(key: K): boolean {
    return this.text(key) === "true";
  }

  /** A list of addresses; parsed once for each value. */
  addresses(key: K): AddressList {
    const text = this.text(key);
    const known = this.#lists.get(key);
    if (known?.text === text) return known.list;
    const list = parseAddressList(text);
    this.#lists.set(key, { text, list });
    return list;
  }

  /** Rows as the wire shows them, every key that may be seen, in the order of keys. */
  visible(): SettingView[] {
    const shown = Object.entries(this.#deps.entries).filter(([, entry]) => entry.internal !== true);
    return shown.map(([key]) => this.view(key)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** A setting as the wire shows it; with the row given, instead of the one in memory. */
  view(key: string, row: SettingRow | undefined = this.#rows.get(key)): SettingView {
    const entry = this.entry(key);
    if (!entry) throw new Error(`there is no setting ${key}`);
    const value = row?.value ?? entry.default;
    const restart = entry.restart === true;
    const secret = entry.secret === true;
    return {
      key,
      value: secret ? "" : value,
      default: secret ? "" : (entry.whenEmpty ?? entry.default),
      group: entry.group,
      type: takesOf(entry.check).type,
      values: [...takesOf(entry.check).values],
      createdAt: row?.createdAt ?? 0,
      updatedAt: row?.updatedAt ?? 0,
      panelWide: entry.panelWide === true,
      secret,
      secretSet: secret && value !== "",
      restart,
      restartPending: restart && value !== (this.#rowsAtStart.get(key)?.value ?? entry.default),
      unused: entry.unused === true,
      points: entry.points === nowhere ? "no" : entry.points === whole ? "always" : "links",
    };
  }
}
