// What `q` finds of accounts (rule users.list.3): by a part of their texts, through the index of parts of three letters
// where it leaves few to look at, else by walking through the texts; and by a whole key.
//
// The few are read first, and the list is asked for their ids: so neither database has to guess how many there are.
//
// What waits to be indexed is searched by the text in the queue, and by that alone (`text-indexing.ts`). Each statement
// reads both tables in one snapshot, so a find is right whenever the indexing comes to it.
import { sql, type Reader } from "../../db/index.ts";
import { anyOf, searched, type Condition, type ListColumns } from "../../http/index.ts";
import type { CredentialEntry } from "../credentials/credential-entry.ts";
import type { CredentialKeys } from "../credentials/credential-keys.ts";
import type { EntryWalk } from "../entry-walk.ts";
import { CURRENT_TEXT, CURRENT_TEXTS, IS_CURRENT } from "../records/text.entity.ts";
import { FEW, idAmong } from "../records/id-among.ts";
import { keysInLinks } from "./pasted-link.ts";
import { foldedPart } from "./user-texts.ts";

export interface FoundTexts {
  /** Over `users u`, for a list. */
  readonly among: Condition;
  /** Over `users u`, for walks in the order of ids that stop early. */
  readonly each: Condition;
  /** Over `CURRENT_TEXTS` alone, where walking through them is the cheapest. */
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
/** Forms of keys that people paste: the token of a link, the UUID of a configuration. */
const TOKEN = /^[0-9a-f]{32}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export class UserSearch {
  readonly #deps: UserSearchDeps;

  constructor(deps: UserSearchDeps) {
    this.#deps = deps;
  }

  async of(q: string): Promise<FoundTexts> {
    const { reads, entry, credentialEntry, columns } = this.#deps;
    const pasted = keysInLinks(q);
    const uuids = UUID.test(q) ? [q] : pasted.uuids;
    if ((await entry.upTo()) !== undefined || (uuids.length > 0 && (await credentialEntry.upTo()) !== undefined)) {
      const scanned = anyOf(
        [q, ...pasted.links, ...pasted.uuids].map((text) => searched(reads.dialect, columns, text)),
      );
      return { among: scanned, each: scanned, texts: undefined };
    }
    const part = foldedPart(q);
    const letters = Array.from(part);
    const [ids, keyed] = await Promise.all([
      letters.length < GRAM ? undefined : this.#few(part, letters),
      this.#keyed(TOKEN.test(q) ? [q] : pasted.links, uuids),
    ]);
    if (ids) {
      const among = idAmong(reads.dialect, "u.id", [...ids, ...keyed]);
      return { among, each: among, texts: undefined };
    }
    const has = this.#has("t.text", part);
    const walked = sql<boolean>`u.id in (select t.id from ${sql.raw(CURRENT_TEXTS)} where ${has})`;
    const looked = this.#has(CURRENT_TEXT, part);
    if (keyed.length === 0) return { among: walked, each: looked, texts: has };
    const key = idAmong(reads.dialect, "u.id", keyed);
    return { among: anyOf([walked, key]), each: anyOf([looked, key]), texts: undefined };
  }

  /** The accounts one of whose texts has this part; undefined: too many, or not known. */
  async withPart(text: string): Promise<number[] | undefined> {
    const part = foldedPart(text);
    const letters = Array.from(part);
    if (letters.length < GRAM || (await this.#deps.entry.upTo()) !== undefined) return undefined;
    return this.#few(part, letters);
  }

  /** `text` is code, never input. */
  #has(text: string, part: string): Condition {
    const raw = sql.raw(text);
    if (this.#deps.reads.dialect === "sqlite") return sql<boolean>`instr(${raw}, ${part}) > 0`;
    return sql<boolean>`${raw} like ${`%${part.replaceAll(/[!%_]/g, "!$&")}%`} escape '!'`;
  }

  /** The accounts with this part, by the index; undefined where it leaves too many to look at. */
  async #few(part: string, letters: readonly string[]): Promise<number[] | undefined> {
    const { reads, few = FEW } = this.#deps;
    const settled = sql<boolean>`${sql.raw(IS_CURRENT)}`;
    const carries = this.#has("t.text", part);
    const indexed =
      reads.dialect === "sqlite"
        ? sql<Candidate>`select t.id, ${carries} and ${settled} as has
            from (select rowid as id from user_text_grams where user_text_grams match ${matchOf(letters)} limit ${few + 1}) g
            cross join user_texts t on t.id = g.id`
        : sql<Candidate>`select t.id, true as has from user_texts t
            where user_text_grams(t.text) collate "C" @> user_text_grams(${part}) and ${carries} and ${settled} limit ${few + 1}`;
    const waiting = sql<Candidate>`select w.id, true as has from user_text_queue w where ${this.#has("w.text", part)} limit ${few + 1}`;
    const query = sql<Candidate>`select * from (${indexed}) i union all select * from (${waiting}) q`;
    const candidates = await reads.query<Candidate>(query, { scans: true, short: true });
    if (candidates.length > few) return undefined;
    return candidates.flatMap(({ id, has }) => (has ? [Number(id)] : []));
  }

  /** The accounts that have one of these as a whole key. */
  async #keyed(links: readonly string[], uuids: readonly string[]): Promise<number[]> {
    const queries = [
      ...links.map(
        (key) =>
          sql<{ id: number | string }>`select id from users where sub_id = ${key}
            union select id from users where sub_token = ${TOKEN.test(key) ? key.toLowerCase() : key}`,
      ),
      ...uuids.map((uuid) => this.#holders(uuid)),
    ];
    const found = await Promise.all(queries.map((query) => this.#deps.reads.query<{ id: number | string }>(query)));
    return [...new Set(found.flat().map(({ id }) => Number(id)))];
  }

  #holders(uuid: string) {
    const key = this.#deps.keys.of({ uuid })[0]?.id ?? "";
    return sql<{ id: number | string }>`select user_id as id from user_credentials where id = ${key}
      union all select user_id as id from shared_credentials where credential_id = ${key}`;
  }
}

interface Candidate {
  readonly id: number | string;
  /** The parts of three letters may be in its text without being side by side. */
  readonly has: boolean | number;
}

/** Parts of three letters, spread over the text where there are many. */
function matchOf(letters: readonly string[]): string {
  const grams = letters.slice(GRAM - 1).map((_, at) => letters.slice(at, at + GRAM).join(""));
  const stride = Math.ceil(grams.length / GRAMS);
  const chosen = new Set(grams.filter((_, at) => at % stride === 0));
  return [...chosen].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(" AND ");
}
