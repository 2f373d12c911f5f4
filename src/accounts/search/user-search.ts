// What `q` finds of accounts (rule users.list.3): by a part of their texts, through the index of parts of three letters
// where it leaves few to look at, else by walking through the texts; and by a whole key.
import { sql, type Query, type Reader } from "../../db/index.ts";
import { searched, type Condition, type ListColumns } from "../../http/index.ts";
import type { CredentialEntry } from "../credential-entry.ts";
import type { CredentialKeys } from "../credential-keys.ts";
import type { EntryWalk } from "../entry-walk.ts";
import { foldedPart } from "./user-texts.ts";

export interface FoundTexts {
  /** Over `users u`, for a list: asked once for all of them. */
  readonly among: Condition;
  /** Over `users u`, for walks in the order of ids that stop early. */
  readonly each: Condition;
  /** Over `user_texts t` alone, where walking through it is the cheapest, or as cheap. */
  readonly texts: Condition | undefined;
}

export interface UserSearchDeps {
  readonly reads: Reader;
  readonly keys: CredentialKeys;
  readonly entry: Pick<EntryWalk, "upTo">;
  readonly credentialEntry: Pick<CredentialEntry, "upTo">;
  /** What is searched until all texts are entered. */
  readonly columns: ListColumns;
  /** So many accounts may the index leave; tests choose it. */
  readonly few?: number;
}

/** Letters of an indexed part. */
const GRAM = 3;
/** Parts that are asked for at most: further ones hardly leave fewer accounts. */
const GRAMS = 16;
/** Looking at so many accounts one by one takes as long as walking through all texts of a small panel. */
const FEW = 20_000;
/** Of a link or a configuration that somebody sends along. */
const TOKEN = /^[0-9a-f]{32}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export class UserSearch {
  readonly #deps: UserSearchDeps;

  constructor(deps: UserSearchDeps) {
    this.#deps = deps;
  }

  async of(q: string): Promise<FoundTexts> {
    const { reads, entry, credentialEntry, columns } = this.#deps;
    if ((await entry.upTo()) !== undefined || (UUID.test(q) && (await credentialEntry.upTo()) !== undefined)) {
      const scanned = searched(reads.dialect, columns, q);
      return { among: scanned, each: scanned, texts: undefined };
    }
    const part = foldedPart(q);
    return reads.dialect === "sqlite" ? this.#onSqlite(part, q) : this.#onPostgres(part, q);
  }

  async #onSqlite(part: string, q: string): Promise<FoundTexts> {
    const has = sql<boolean>`instr(t.text, ${part}) > 0`;
    const match = matchOf(part);
    if (match === undefined || !(await this.#isNarrow(match)))
      return {
        among: sql<boolean>`u.id in (select t.id from user_texts t where ${has})`,
        each: sql<boolean>`exists (select 1 from user_texts t where t.id = u.id and ${has})`,
        texts: has,
      };
    const parts = sql`select t.id from user_text_grams cross join user_texts t on t.id = user_text_grams.rowid
      where user_text_grams match ${match} and ${has}`;
    const among = this.#orKey(parts, q);
    return { among, each: among, texts: undefined };
  }

  #onPostgres(part: string, q: string): FoundTexts {
    const like = sql<boolean>`t.text like ${`%${part.replaceAll(/[!%_]/g, "!$&")}%`} escape '!'`;
    // Without a part of three letters the function gives none, which every account has.
    const indexed =
      Array.from(part).length >= GRAM ? sql`user_text_grams(t.text) @> user_text_grams(${part}) and ` : sql``;
    const has = sql<boolean>`${indexed}${like}`;
    const among = this.#orKey(sql`select t.id from user_texts t where ${has}`, q);
    return { among, each: among, texts: this.#keyIds(q) === undefined ? has : undefined };
  }

  /** Whether the index leaves few accounts: it stops looking at the first that is too many. */
  async #isNarrow(match: string): Promise<boolean> {
    const { reads, few = FEW } = this.#deps;
    const [row] = await reads.query<{ n: number }>(
      sql`select count(*) as n from (select rowid from user_text_grams where user_text_grams match ${match} limit ${few + 1})`,
      { scans: true },
    );
    return (row?.n ?? 0) <= few;
  }

  #orKey(parts: Query, q: string): Condition {
    const keyed = this.#keyIds(q);
    return keyed ? sql<boolean>`u.id in (${parts} union all ${keyed})` : sql<boolean>`u.id in (${parts})`;
  }

  /** The accounts that have this as a whole key; undefined: it has not the form of one. */
  #keyIds(q: string): Query | undefined {
    if (TOKEN.test(q)) return sql`select id from users where sub_token = ${q.toLowerCase()}`;
    if (!UUID.test(q)) return undefined;
    const id = this.#deps.keys.of({ uuid: q })[0]?.id ?? "";
    return sql`select user_id from user_credentials where id = ${id}
      union all select user_id from shared_credentials where credential_id = ${id}`;
  }
}

/** All parts of three letters, spread over the text where there are many; undefined: there is none. */
function matchOf(part: string): string | undefined {
  const letters = Array.from(part);
  const grams = letters.slice(GRAM - 1).map((_, at) => letters.slice(at, at + GRAM).join(""));
  const stride = Math.ceil(grams.length / GRAMS);
  const chosen = new Set(grams.filter((_, at) => at % stride === 0));
  if (chosen.size === 0) return undefined;
  return [...chosen].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" AND ");
}
