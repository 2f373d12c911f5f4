// What earlier lines of a trial have of the values that only one account may have. No trial writes them, and the next
// part of the file must find them as it finds those of accounts that are there (rule jobs.import.13).
import { lock, type Row } from "../../db/index.ts";
import { DigestTable } from "../../lib/digest-table.ts";
import { namesOf, type CredentialKeys } from "../credentials/credential-keys.ts";
import { UserCredentialRows } from "../records/user-credential.entity.ts";
import type { Standing } from "../users/taken.ts";
import type { ImportBody } from "./lines.ts";

/** Values: those of half a million lines that say all of them. More would take more than 128 MB. */
const MOST = 3_000_000;

type Unique = "name" | "subId" | "externalId" | "credential";

/** What stands for the lines of one part. */
export interface Beside {
  readonly standing: Standing;
  /** Rows of credentials, by `lockKey`. */
  readonly rows: ReadonlyMap<string, Row>;
  /** Accounts that are in no table. */
  readonly unwritten: ReadonlySet<number>;
}

export class EarlierLines {
  readonly #keys: CredentialKeys;
  /** The account that has a value; its id is a trial's where a line made it. */
  readonly #held = new DigestTable(MOST);

  constructor(keys: CredentialKeys) {
    this.#keys = keys;
  }

  /** What these lines find: accounts that are there, and those of lines before. */
  beside(standing: Standing, bodies: readonly ImportBody[]): Beside {
    const byName = new Map(standing.byName);
    const byExternalId = new Map(standing.byExternalId);
    const links = new Map(standing.links);
    const rows = new Map<string, Row>();
    const unwritten = new Set<number>();
    for (const body of bodies) {
      const name = standing.nameOf(body);
      const made = byName.has(name) ? undefined : this.#holder("name", name);
      if (made !== undefined) {
        byName.set(name, { id: made });
        unwritten.add(made);
      }
      const { subId, externalId, config } = body;
      const referred = this.#holder("externalId", externalId);
      if (externalId && referred !== undefined) byExternalId.set(externalId, referred);
      const linked = this.#holder("subId", subId);
      if (subId && linked !== undefined) links.set(subId, { ended: undefined, ...links.get(subId), living: [linked] });
      for (const id of this.#keys.of(config).flatMap(namesOf)) {
        const userId = this.#holder("credential", id);
        if (userId !== undefined) rows.set(lock(UserCredentialRows, id).key, { id, userId, sharers: 0 });
      }
    }
    return { standing: { ...standing, byName, byExternalId, links }, rows, unwritten };
  }

  /** A line was done: an account has what it says. */
  add({ nameOf }: Pick<Standing, "nameOf">, body: ImportBody, id: number): void {
    this.#hold("name", nameOf(body), id);
    this.#hold("subId", body.subId, id);
    this.#hold("externalId", body.externalId, id);
    for (const credential of this.#keys.of(body.config)) this.#hold("credential", credential.id, id);
  }

  #holder(what: Unique, value: string | undefined): number | undefined {
    return value === undefined || value === "" ? undefined : this.#held.get(`${what}\n${value}`);
  }

  #hold(what: Unique, value: string | undefined, id: number): void {
    if (value !== undefined && value !== "") this.#held.set(`${what}\n${value}`, id);
  }
}
