// What earlier lines of a trial have of the values that only one account may have, and what they gave up of them. No
// trial writes it, and the next part of the file must find it as it finds what accounts that are there have (rule
// jobs.import.13).
//
// Only values are kept, never whole accounts: where lines of several parts change the same account, each of them finds
// it as it is there, and of an account that a line would make nobody knows what a line of a later part takes from it.
import { lock, type Draft, type Row } from "../../db/index.ts";
import { DigestTable } from "../../lib/digest-table.ts";
import { namesOf } from "../credentials/credential-keys.ts";
import { isStillTaken } from "../links/ended-links.ts";
import { SharedCredentialRows, UserCredentialRows } from "../records/user-credential.entity.ts";
import { UserRows } from "../records/user.entity.ts";
import type { Standing } from "../users/taken.ts";
import type { ImportBody, TransferDeps } from "./lines.ts";

/** Values: those of half a million lines that say all of them. More would take more than 128 MB. */
const MOST = 3_000_000;

type Unique = "name" | "subId" | "externalId" | "credential";

/** In place of the account that has a value: the one that had it gave it up. */
const NOBODY = 0;

/** What stands of the values that some lines say. */
interface Found {
  readonly standing: Standing;
  /** Accounts that have credentials, by id of the credential (`holdersOf`). */
  readonly holders: ReadonlyMap<string, number>;
}

export interface Beside extends Found {
  /** Rows of credentials, by `lockKey`. */
  readonly rows: ReadonlyMap<string, Row | null>;
  /** Accounts that are in no table. */
  readonly unwritten: ReadonlySet<number>;
}

export class EarlierLines {
  readonly #deps: Pick<TransferDeps, "credentialKeys" | "keptDays">;
  /** The account that has a value; its id is a trial's where a line made it. */
  readonly #held = new DigestTable(MOST);
  /** Rows of credentials that several accounts have, and of these accounts: an older version left some. */
  readonly #shared = new Map<string, Row | null>();

  constructor(deps: Pick<TransferDeps, "credentialKeys" | "keptDays">) {
    this.#deps = deps;
  }

  /** What these lines find: what is there, as the lines before left it. */
  beside({ standing, ...found }: Found, bodies: readonly ImportBody[]): Beside {
    const byName = new Map(standing.byName);
    const byExternalId = new Map(standing.byExternalId);
    const links = new Map(standing.links);
    const holders = new Map(found.holders);
    const rows = new Map(this.#shared);
    const unwritten = new Set<number>();
    for (const body of bodies) {
      const name = standing.nameOf(body);
      const made = byName.has(name) ? undefined : this.#holder("name", name);
      if (made !== undefined) {
        byName.set(name, { id: made });
        unwritten.add(made);
      }
      const { subId = "", externalId = "", config } = body;
      const referred = this.#holder("externalId", externalId);
      if (referred === NOBODY) byExternalId.delete(externalId);
      else if (referred !== undefined) byExternalId.set(externalId, referred);
      const linked = this.#holder("subId", subId);
      if (linked === NOBODY) {
        // What is another's token too stays that one's.
        if (links.get(subId)?.living.length === 1) links.delete(subId);
      } else if (linked !== undefined) links.set(subId, { ended: undefined, ...links.get(subId), living: [linked] });
      for (const id of this.#deps.credentialKeys.of(config).flatMap(namesOf)) {
        const { key } = lock(UserCredentialRows, id);
        const userId = this.#holder("credential", id);
        if (userId !== undefined) rows.set(key, userId === NOBODY ? null : { id, userId, sharers: 0 });
        const row = rows.get(key);
        if (row) holders.set(id, Number(row["userId"]));
        else if (row === null) holders.delete(id);
      }
    }
    return { standing: { ...standing, byName, byExternalId, links }, holders, rows, unwritten };
  }

  /** Lines were done. What one changes of an account that is there, the draft's rows say. */
  add(
    draft: Draft,
    { nameOf }: Pick<Standing, "nameOf">,
    done: readonly { readonly id: number; readonly body: ImportBody }[],
  ): void {
    for (const { id, body } of done) {
      if (isWritten(id)) continue;
      this.#hold("name", nameOf(body), id);
      this.#hold("subId", body.subId, id);
      this.#hold("externalId", body.externalId, id);
      for (const credential of this.#deps.credentialKeys.of(body.config)) this.#hold("credential", credential.id, id);
    }
    for (const [key, row] of draft.current) {
      const colon = key.indexOf(":");
      const [table, id] = [key.slice(0, colon), key.slice(colon + 1)];
      if (table === UserRows.name) this.#changed(draft, Number(id));
      else if (table === UserCredentialRows.name) this.#entered(draft, id, row);
      else if (table === SharedCredentialRows.name) this.#shared.set(key, row);
    }
  }

  #changed(draft: Draft, id: number): void {
    const before = draft.before(UserRows, id);
    const row = draft.find(UserRows, id);
    if (!before || !row) return;
    for (const what of ["subId", "externalId"] as const) {
      if (row[what] === before[what]) continue;
      // A link that ends is its account's for some days.
      const isKept = what === "subId" && isStillTaken(draft.time, this.#deps.keptDays(), draft.time);
      if (!isKept) this.#release(what, before[what], id);
      this.#hold(what, row[what], id);
    }
  }

  #entered(draft: Draft, id: string, written: Row | null): void {
    const before = draft.before(UserCredentialRows, id);
    const row = draft.find(UserCredentialRows, id);
    if (before?.sharers || row?.sharers) this.#shared.set(lock(UserCredentialRows, id).key, written);
    else if (!row) this.#release("credential", id, before?.userId);
    else if (isWritten(row.userId)) this.#hold("credential", id, row.userId);
  }

  #holder(what: Unique, value: string | null): number | undefined {
    return value === null || value === "" ? undefined : this.#held.get(`${what}\n${value}`);
  }

  #hold(what: Unique, value: string | null | undefined, id: number): void {
    if (value) this.#held.set(`${what}\n${value}`, id);
  }

  /** What another account has by now stays that one's: `giver` may have given it up in an earlier part already. */
  #release(what: Unique, value: string | null, giver: number | undefined): void {
    const holder = this.#holder(what, value);
    if (holder === undefined || giver === undefined || holder === giver) this.#hold(what, value, NOBODY);
  }
}

/** Ids of a trial are below zero. */
const isWritten = (id: number) => id > 0;
