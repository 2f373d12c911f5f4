// Everything that somebody must not read, and who may. Every byte that the panel sends is looked through for them.
import type { Books } from "./books.ts";
import type { Model, Reach } from "./model.ts";

interface Secret {
  readonly what: string;
  readonly mayRead: (by: Reach | undefined) => boolean;
}

const never = (): boolean => false;
/** Shorter ones would be found by chance. */
const LEAST = 6;

export class Secrets {
  readonly #known = new Map<string, Secret>();
  /** By the name of a user: everybody who has owned the account of that name. */
  readonly #owners = new Map<string, Set<string>>();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  /** A text that the panel never shows (again). */
  keep(what: string, text: unknown): void {
    if (typeof text === "string" && text.length >= LEAST) this.#known.set(text, { what, mayRead: never });
  }

  /** A private key in a fragment: only callers who may write the pool see it. */
  keepOfPool(what: string, text: string): void {
    this.#known.set(text, { what, mayRead: (by) => by?.scopes.has("pool:write") === true });
  }

  /**
   * Looks for new secrets in the database: hashes, sealed texts, and the accounts' credentials with who owns them now.
   */
  gather(books: Books): void {
    for (const [table, columns] of Object.entries(NEVER_SHOWN))
      for (const row of books.get(table)?.values() ?? [])
        for (const column of columns) this.keep(`${table}.${column}`, row[column]);
    const names = new Map(
      [...(books.get("admins")?.values() ?? [])].map((row) => [String(row["id"]), String(row["username"])]),
    );
    for (const row of books.get("users")?.values() ?? []) {
      const owner = names.get(String(row["admin_id"])) ?? "";
      const config = (typeof row["config"] === "string" ? JSON.parse(row["config"]) : row["config"]) as Readonly<
        Record<string, unknown>
      >;
      const name = String(row["name"]);
      const mayRead = (by: Reach | undefined) =>
        by?.scopes.has("users:read") === true && (by.base !== "resale" || by.account === owner);
      for (const [field, text] of Object.entries({ ...config, sub_token: row["sub_token"], sub_id: row["sub_id"] }))
        if (typeof text === "string" && field !== "flow")
          this.#known.set(text, { what: `${field} of the user ${name}`, mayRead });
      // That another's customer exists at all is nothing for a reseller. One who had the account under this name has
      // heard of it: the events of that time stay that reseller's.
      const owners = (this.#owners.get(name) ?? new Set()).add(owner);
      this.#owners.set(name, owners);
      this.#known.set(name, {
        what: `the name of the user ${name}`,
        mayRead: (by) => by?.base !== "resale" || owners.has(by.account),
      });
    }
  }

  /**
   * The parts of an answer that its receiver must not see. `sent`: what the caller itself said may come back. `was`:
   * the caller before its call.
   */
  found(text: string, label: string, { was, sent = "" }: { was?: Reach | undefined; sent?: string } = {}): string[] {
    const by = this.#model.reach(label);
    const found: string[] = [];
    for (const [secret, { what, mayRead }] of this.#known)
      if (text.includes(secret) && !sent.includes(secret) && !mayRead(by) && !mayRead(was)) found.push(what);
    return found;
  }

  get size(): number {
    return this.#known.size;
  }
}

const NEVER_SHOWN: Readonly<Record<string, readonly string[]>> = {
  admins: ["password_hash", "totp_seed"],
  api_tokens: ["hash"],
  sessions: ["hash", "enrolment"],
  pending_logins: ["id"],
  webhooks: ["secret"],
  oidc_providers: ["client_secret"],
};
