// Credentials of accounts from an older version. Until they are entered, look-ups also search the accounts themselves,
// so that the rule already holds.
import { sql, type Committer, type Reader } from "../../db/index.ts";
import { enterBeside } from "./credential-holders.ts";
import { namesOf, type Credential, type CredentialKeys } from "./credential-keys.ts";
import { EntryWalk } from "../entry-walk.ts";
import { CredentialEntryRows } from "../records/user-credential.entity.ts";
import { UserRows, type UserRow } from "../records/user.entity.ts";

const NOTHING: ReadonlySet<string> = new Set();

export interface CredentialEntryDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly keys: CredentialKeys;
  /** A step that failed is taken again. */
  readonly onError: (error: unknown) => void;
}

export class CredentialEntry extends EntryWalk {
  readonly #reads: Reader;
  readonly #keys: CredentialKeys;

  constructor({ commits, reads, keys, onError }: CredentialEntryDeps) {
    super({
      commits,
      reads,
      name: "credentials.enter",
      mark: CredentialEntryRows,
      enter: (draft, rows) =>
        enterBeside(
          draft,
          rows.map(({ id, config }) => ({ id, credentials: keys.of(config) })),
        ),
      onError,
    });
    this.#reads = reads;
    this.#keys = keys;
  }

  /**
   * Ids of those of `chosen` that accounts hold which are not entered yet. One walk through them, and none once all are
   * entered.
   */
  async unentered(chosen: readonly Credential[], userId = 0): Promise<ReadonlySet<string>> {
    if (chosen.length === 0) return NOTHING;
    const from = await this.upTo();
    if (from === undefined) return NOTHING;
    const among = ["uuid", "password", "ss16", "ss32"].flatMap((kind) => {
      // One for a protocol alone may be another's common one.
      const own = kind === "uuid" ? ".uuid" : ".password";
      const values = chosen.filter((each) => each.kind === kind || each.kind.endsWith(own)).map(({ value }) => value);
      // The kind is one of ours, never input.
      const stored = sql.raw(kind === "uuid" ? "lower(config ->> 'uuid')" : `config ->> '${kind}'`);
      return values.length === 0 ? [] : [sql`${stored} in (${sql.join(values)})`];
    });
    const rows = await this.#reads.rows<UserRow>(
      UserRows,
      sql`select * from users where id > ${from} and id <> ${userId} and (${sql.join(among, sql` or `)})`,
      { scans: true },
    );
    const held = new Set(rows.flatMap(({ config }) => this.#keys.of(config).map(({ id }) => id)));
    return new Set(chosen.filter((each) => namesOf(each).some((id) => held.has(id))).map(({ id }) => id));
  }
}
