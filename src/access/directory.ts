// From a credential's hash to the live rows behind it. On SQLite they are remembered until a commit touches any of them; on a shared database the
// requests of one tick share one batch of queries, so that another process's change holds from the next request on.
import { sql, type Committer, type Reader } from "../db/index.ts";
import { CREDENTIALS_ENDED, type Credential } from "../http/index.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "./admin.entity.ts";
import { ApiTokenRows, SessionRows, type ApiTokenRow, type SessionRow } from "./credential.entity.ts";

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

const TABLES: ReadonlySet<string> = new Set([AdminRows.name, RoleRows.name, SessionRows.name, ApiTokenRows.name]);
const REMEMBERED = 10_000;

export class Directory {
  readonly #reads: Reader;
  #asked: Asked[] = [];
  readonly #remembered: Map<string, Holder> | undefined;
  /** Moves with every commit that touches a row: what was read before it is not remembered. */
  #generation = 0;
  readonly #unlisten: () => void;

  constructor(commits: Committer, reads: Reader) {
    this.#reads = reads;
    this.#remembered = reads.dialect === "sqlite" ? new Map() : undefined;
    this.#unlisten = commits.onCommit(({ changes, facts }) => {
      if (facts[CREDENTIALS_ENDED] === undefined && !changes.some((change) => TABLES.has(change.table))) return;
      this.#generation++;
      this.#remembered?.clear();
    });
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
      if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
      this.#remembered.set(`${kind}:${hash}`, holder);
    }
    return holder;
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

  async #load(asked: readonly Asked[]): Promise<Map<string, Holder>> {
    const hashes = (kind: Credential["kind"]) => [...new Set(asked.filter((each) => each.kind === kind).map((each) => each.hash))];
    const [sessions, tokens] = await Promise.all([this.#sessions(hashes("session")), this.#tokens(hashes("token"))]);
    const adminIds = [...new Set([...sessions, ...tokens].map((row) => row.adminId))];
    const admins = new Map(
      (await this.#byIds(AdminRows.name, adminIds, (query) => this.#reads.rows(AdminRows, query))).map((row) => [row.id, row]),
    );
    const roleIds = [...new Set([...[...admins.values()].map((row) => row.roleId), ...tokens.map((row) => row.roleId)])];
    const roles = new Map(
      (await this.#byIds(RoleRows.name, roleIds, (query) => this.#reads.rows(RoleRows, query))).map((row) => [row.id, row]),
    );
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
      if (admin && own && lent) holders.set(`token:${token.hash}`, { token, admin, roles: { admin: own, token: lent } });
    }
    return holders;
  }

  #sessions(hashes: readonly string[]): Promise<SessionRow[]> {
    if (hashes.length === 0) return Promise.resolve([]);
    return this.#reads.rows(SessionRows, sql`select * from sessions where hash in (${sql.join([...hashes])})`);
  }

  #tokens(hashes: readonly string[]): Promise<ApiTokenRow[]> {
    if (hashes.length === 0) return Promise.resolve([]);
    return this.#reads.rows(ApiTokenRows, sql`select * from api_tokens where hash in (${sql.join([...hashes])})`);
  }

  #byIds<R>(table: string, ids: readonly number[], read: (query: ReturnType<typeof sql>) => Promise<R[]>): Promise<R[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return read(sql`select * from ${sql.raw(table)} where id in (${sql.join([...ids])})`);
  }
}
