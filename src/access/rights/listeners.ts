// Every operator's tier and scopes in memory, for decisions that may not wait for a query (who hears an event).
// Operators are few.
import { sql, type Committed, type Committer, type Reader } from "../../db/index.ts";
import type { Scope, Tier } from "../../http/index.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../records/admin.entity.ts";
import { roleScopes } from "./reach.ts";

export class Listeners {
  readonly #admins = new Map<number, AdminRow>();
  readonly #roles = new Map<number, RoleRow>();
  readonly #stopListening: () => void;

  private constructor(commits: Committer) {
    this.#stopListening = commits.onCommit((committed) => this.#follow(committed));
  }

  /** Reads operators and roles, and follows commits from then on. */
  static async open(commits: Committer, reads: Reader): Promise<Listeners> {
    const listeners = new Listeners(commits);
    for (const role of await reads.rows(RoleRows, sql`select * from roles`))
      if (!listeners.#roles.has(role.id)) listeners.#roles.set(role.id, role);
    for (const admin of await reads.rows(AdminRows, sql`select * from admins`))
      if (!listeners.#admins.has(admin.id)) listeners.#admins.set(admin.id, admin);
    return listeners;
  }

  /** What an operator may hear; undefined when there is none of that id. */
  of(adminId: number): { readonly base: Tier; readonly scopes: ReadonlySet<Scope> } | undefined {
    const role = this.#roles.get(this.#admins.get(adminId)?.roleId ?? 0);
    return role && { base: role.base, scopes: roleScopes(role) };
  }

  close(): void {
    this.#stopListening();
  }

  #follow({ changes }: Committed): void {
    for (const { table, id, after } of changes) {
      if (table === AdminRows.name) replace(this.#admins, Number(id), after as AdminRow | undefined);
      else if (table === RoleRows.name) replace(this.#roles, Number(id), after as RoleRow | undefined);
    }
  }
}

function replace<R>(rows: Map<number, R>, id: number, row: R | undefined): void {
  if (row === undefined) rows.delete(id);
  else rows.set(id, row);
}
