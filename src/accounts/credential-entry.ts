// Indexes the credentials of accounts from an older version, a few hundred at a time, in the background. Until then,
// look-ups also search the accounts themselves, so that the rule already holds. If the panel stops in between, it
// continues where it was.
import { setTimeout as pause } from "node:timers/promises";
import { lock, sql, UniqueConflict, type Committer, type Reader } from "../db/index.ts";
import { enterBeside } from "./credential-holders.ts";
import type { Credential, CredentialKeys } from "./credential-keys.ts";
import { CredentialEntryRows } from "./user-credential.entity.ts";
import { UserRows, type UserRow } from "./user.entity.ts";

const ROW = 1;
/** Accounts of a step: its commit takes some milliseconds. */
const STEP = 200;
/** Between steps, so that others' changes find room. */
const PAUSE_MS = 10;
/** After one that failed. */
const RETRY_MS = 1000;
/** `upTo` when every account is entered: new ones enter themselves. */
const ALL = Number.MAX_SAFE_INTEGER;

const NOTHING: ReadonlySet<string> = new Set();

export interface CredentialEntryDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly keys: CredentialKeys;
  /** A step that failed is taken again. */
  readonly onError: (error: unknown) => void;
}

export class CredentialEntry {
  readonly #deps: CredentialEntryDeps;
  #complete = false;
  readonly #ending = new AbortController();

  constructor(deps: CredentialEntryDeps) {
    this.#deps = deps;
  }

  /** Enters what is left. Resolves when all are, or when it was stopped. */
  async run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      let wait = PAUSE_MS;
      try {
        if (await this.step()) return;
      } catch (error) {
        // A new account entered the same one meanwhile, or the database is away.
        if (!(error instanceof UniqueConflict)) this.#deps.onError(error);
        wait = RETRY_MS;
      }
      // Ended early by `stop` alone.
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  stop(): void {
    this.#ending.abort();
  }

  /** Enters the next accounts; true when there are none left. Another process that enters them too does no harm. */
  async step(): Promise<boolean> {
    const { commits, reads, keys } = this.#deps;
    const from = await this.#upTo();
    if (from === ALL) return true;
    const rows = await reads.query<{ id: number | string }>(
      sql`select id from users where id > ${from} order by id limit ${STEP}`,
    );
    const ids = rows.map(({ id }) => Number(id));
    await commits.submit({
      name: "credentials.enter",
      locks: [lock(CredentialEntryRows, ROW), ...ids.map((id) => lock(UserRows, id, "read"))],
      decide(draft) {
        if ((draft.find(CredentialEntryRows, ROW)?.upTo ?? 0) !== from) return;
        enterBeside(
          draft,
          draft.findAll(UserRows, ids, "read").map(({ id, config }) => ({ id, credentials: keys.of(config) })),
        );
        draft.upsert(CredentialEntryRows, { id: ROW, upTo: ids.at(-1) ?? ALL });
      },
    });
    return ids.length === 0;
  }

  /**
   * Ids of those of `chosen` that accounts hold which are not entered yet. One walk through them, and none once all are
   * entered.
   */
  async unentered(chosen: readonly Credential[], userId = 0): Promise<ReadonlySet<string>> {
    if (this.#complete || chosen.length === 0) return NOTHING;
    const from = await this.#upTo();
    if (from === ALL) return NOTHING;
    const { reads, keys } = this.#deps;
    const among = ["uuid", "password", "ss16", "ss32"].flatMap((kind) => {
      const values = chosen.filter((each) => each.kind === kind).map(({ value }) => value);
      // The kind is one of ours, never input.
      const stored = sql.raw(kind === "uuid" ? "lower(config ->> 'uuid')" : `config ->> '${kind}'`);
      return values.length === 0 ? [] : [sql`${stored} in (${sql.join(values)})`];
    });
    const rows = await reads.rows<UserRow>(
      UserRows,
      sql`select * from users where id > ${from} and id <> ${userId} and (${sql.join(among, sql` or `)})`,
      { scans: true },
    );
    const wanted = new Set(chosen.map(({ id }) => id));
    return new Set(rows.flatMap(({ config }) => keys.of(config).map(({ id }) => id)).filter((id) => wanted.has(id)));
  }

  async #upTo(): Promise<number> {
    const upTo = (await this.#deps.reads.find(CredentialEntryRows, ROW))?.upTo ?? 0;
    this.#complete = upTo === ALL;
    return upTo;
  }
}
