// From a credential's hash to the live rows behind it. What was found is remembered until a commit touches it,
// whichever process's; where those of other processes are not heard of before a request is answered, nothing is
// remembered. What is not remembered is asked for together, by everything that comes in one tick.
import { sql, type Committed, type Committer, type Query, type Reader } from "../../db/index.ts";
import { CREDENTIALS_ENDED, type Credential } from "../../http/index.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../records/admin.entity.ts";
import { ApiTokenRows, SessionRows, type ApiTokenRow, type SessionRow } from "../records/credential.entity.ts";

export interface SessionHolder {
  readonly session: SessionRow;
  readonly admin: AdminRow;
  readonly role: RoleRow;
}

export interface TokenHolder {
  readonly token: ApiTokenRow;
  readonly admin: AdminRow;
  readonly roles: { readonly admin: RoleRow; readonly token: RoleRow };
}

export type Holder = SessionHolder | TokenHolder;

interface Asked {
  readonly kind: Credential["kind"];
  readonly hash: string;
  readonly resolve: (holder: Holder | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Accounts and roles: few change, and each may stand behind many credentials. */
const SHARED: ReadonlySet<string> = new Set([AdminRows.name, RoleRows.name]);
const OWN: ReadonlyMap<string, Credential["kind"]> = new Map([
  [SessionRows.name, "session"],
  [ApiTokenRows.name, "token"],
]);
const REMEMBERED = 10_000;

export class Directory {
  readonly #reads: Reader;
  #asked: Asked[] = [];
  readonly #remembered: Map<string, Holder> | undefined;
  /** Where a session or token is remembered, by kind and id. */
  readonly #keys = new Map<string, string>();
  /** Moves with every commit that touches a row: what was read before it is not remembered. */
  #generation = 0;
  readonly #unlisten: () => void;

  /**
   * `remembers`: every commit that touches a credential, account or role is announced here before the next request is
   * answered.
   */
  constructor(commits: Committer, reads: Reader, remembers: boolean) {
    this.#reads = reads;
    this.#remembered = remembers ? new Map() : undefined;
    this.#unlisten = commits.onCommit((committed) => this.#follow(committed));
  }

  close(): void {
    this.#unlisten();
  }

  /** The rows behind a credential, or undefined where there is none or its account or role is gone. */
  async find(kind: Credential["kind"], hash: string): Promise<Holder | undefined> {
    const remembered = this.#remembered?.get(`${kind}:${hash}`);
    if (remembered) return remembered;
    const generation = this.#generation;
    const holder = await new Promise<Holder | undefined>((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => void this.#answer());
      this.#asked.push({ kind, hash, resolve, reject });
    });
    if (this.#remembered && holder && generation === this.#generation) {
      if (this.#remembered.size >= REMEMBERED) this.#forget();
      this.#remembered.set(`${kind}:${hash}`, holder);
      this.#keys.set(`${kind} ${"token" in holder ? holder.token.id : holder.session.id}`, `${kind}:${hash}`);
    }
    return holder;
  }

  #follow({ changes, facts }: Committed): void {
    if (facts.has(CREDENTIALS_ENDED) || changes.some(({ table }) => SHARED.has(table))) {
      this.#generation++;
      this.#forget();
      return;
    }
    for (const { table, id } of changes) {
      const kind = OWN.get(table);
      if (kind === undefined) continue;
      this.#generation++;
      const key = this.#keys.get(`${kind} ${id}`);
      if (key !== undefined) this.#remembered?.delete(key);
    }
  }

  #forget(): void {
    this.#remembered?.clear();
    this.#keys.clear();
  }

  /** Answers everything that was asked in this tick. */
  async #answer(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const holders = await this.#load(asked);
      for (const each of asked) each.resolve(holders.get(`${each.kind}:${each.hash}`));
    } catch (error) {
      for (const each of asked) each.reject(error);
    }
  }

  /** Four queries side by side: one round trip for everything asked in a tick. Roles are few. */
  async #load(asked: readonly Asked[]): Promise<Map<string, Holder>> {
    const hashes = (kind: Credential["kind"]) => [
      ...new Set(asked.filter((each) => each.kind === kind).map((each) => each.hash)),
    ];
    const [sessionHashes, tokenHashes] = [hashes("session"), hashes("token")];
    const [inSessions, inTokens] = [hashedIn(sessionHashes), hashedIn(tokenHashes)];
    const [sessions, tokens, adminRows, roleRows] = await Promise.all([
      sessionHashes.length === 0 ? [] : this.#reads.rows(SessionRows, sql`select * from sessions where ${inSessions}`),
      tokenHashes.length === 0 ? [] : this.#reads.rows(ApiTokenRows, sql`select * from api_tokens where ${inTokens}`),
      this.#reads.rows(
        AdminRows,
        sql`select * from admins where id in (select admin_id from sessions where ${inSessions}) or id in (select admin_id from api_tokens where ${inTokens})`,
      ),
      this.#reads.rows(RoleRows, sql`select * from roles`),
    ]);
    const admins = new Map(adminRows.map((row) => [row.id, row]));
    const roles = new Map(roleRows.map((row) => [row.id, row]));
    const holders = new Map<string, Holder>();
    for (const session of sessions) {
      const admin = admins.get(session.adminId);
      const role = admin && roles.get(admin.roleId);
      if (admin && role) holders.set(`session:${session.hash}`, { session, admin, role });
    }
    for (const token of tokens) {
      const admin = admins.get(token.adminId);
      const own = admin && roles.get(admin.roleId);
      const lent = roles.get(token.roleId);
      if (admin && own && lent)
        holders.set(`token:${token.hash}`, { token, admin, roles: { admin: own, token: lent } });
    }
    return holders;
  }
}

function hashedIn(hashes: readonly string[]): Query<boolean> {
  return hashes.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`hash in (${sql.join([...hashes])})`;
}
