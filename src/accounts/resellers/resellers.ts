// What other rooms ask of resellers' allowances: figures for operators' records, and to be told of changed limits.
import { resellerStateOf, type ClosedBy, type ResellerState } from "../../../machines/reseller.ts";
import { AdminRows, RoleRows, type Allowance } from "../../access/index.ts";
import { lock, sql, sweepLocked, type Committer, type Draft, type Lock, type Reader } from "../../db/index.ts";
import { anyOf, type Condition } from "../../http/index.ts";
import { systemOrigin, type Origin } from "../../lib/origin.ts";
import type { Outbox, Supervisor } from "../../runtime/index.ts";
import { OwnerCountRows } from "../records/owner.entity.ts";
import type { ResellerActor } from "./reseller.actor.ts";
import { ResellerRows, ResellerUsageRows } from "../records/reseller.entity.ts";

/** Resellers that are entered in one commit. */
const AT_ONCE = 200;

export class Resellers {
  readonly #commits: Committer;
  readonly #reads: Reader;
  #runtime:
    | { readonly supervisor: Supervisor; readonly kind: ResellerActor; readonly outbox: Outbox<"user.bulk"> }
    | undefined;

  constructor(commits: Committer, reads: Reader) {
    this.#commits = commits;
    this.#reads = reads;
  }

  /** Before any operator changes. */
  open(supervisor: Supervisor, kind: ResellerActor, outbox: Outbox<"user.bulk">): void {
    this.#runtime = { supervisor, kind, outbox };
  }

  /**
   * An operator was made or changed in this draft, after its own row was written: one who resells gets an allowance,
   * and one who has one looks at its limits again.
   */
  readonly changed = (draft: Draft, id: number, origin: Origin): void => {
    const { supervisor, kind } = this.#opened();
    if (draft.find(ResellerRows, id)) {
      supervisor.step(draft, kind, id, { type: "edited" }, origin);
      return;
    }
    const admin = draft.find(AdminRows, id);
    const role = admin && draft.find(RoleRows, admin.roleId, "read");
    if (role?.base !== "resale") return;
    if (!draft.find(ResellerUsageRows, id)) draft.insert(ResellerUsageRows, { id, used: 0, rest: 0, wakeAt: null });
    supervisor.create(draft, kind, { id, closedBy: "", cursor: 0 }, origin);
  };

  /** The rows that `changed` looks at. */
  readonly locks = (ids: readonly number[]): readonly Lock[] =>
    ids.flatMap((id) => [lock(AdminRows, id), lock(ResellerRows, id), lock(ResellerUsageRows, id)]);

  /** An operator is deleted in this draft. Its accounts are given to the panel after it, which one event tells. */
  readonly gone = (draft: Draft, id: number, origin: Origin): void => {
    const { supervisor, kind, outbox } = this.#opened();
    const users = draft.find(OwnerCountRows, id)?.users ?? 0;
    if (users > 0)
      outbox.raise(draft, {
        event: "user.bulk",
        data: {
          op: "assign",
          matched: users,
          affected: users,
          blocked: 0,
          failed: 0,
          actor: origin.actor,
          adminId: 0,
          ids: [],
          idsTruncated: true,
        },
        subject: `reseller:${id}`,
      });
    if (draft.find(ResellerRows, id)) supervisor.remove(draft, kind, id, origin);
    if (draft.find(ResellerUsageRows, id)) draft.delete(ResellerUsageRows, id);
  };

  /** Gives an allowance to resellers that were made before there were any. Before actors move. */
  async enter(): Promise<void> {
    await sweepLocked(
      { commits: this.#commits, reads: this.#reads },
      {
        name: "resellers.enter",
        after: (last) => sql`select a.id from admins a join roles r on r.id = a.role_id where a.id > ${last}
          and r.base = 'resale' and not exists (select 1 from resellers s where s.id = a.id) order by a.id`,
        atOnce: AT_ONCE,
        locks: (ids) => this.locks(ids),
        decide: (draft, ids) => {
          for (const id of ids) if (!draft.find(ResellerRows, id)) this.changed(draft, id, systemOrigin("start"));
        },
      },
    );
  }

  /** What the accounts of resellers used in the current period, and whether they are served. */
  readonly allowances = async (ids: readonly number[]): Promise<ReadonlyMap<number, Allowance>> => {
    if (ids.length === 0) return new Map();
    const rows = await this.#reads.query<{
      id: number | string;
      used: number | string;
      state: string;
      closedBy: ClosedBy;
    }>(
      sql`select r.id, r.mstate as "state", r.closed_by as "closedBy", u.used from resellers r
        join reseller_usage u on u.id = r.id where r.id in (${sql.join([...ids])})`,
    );
    return new Map(
      rows.map(({ id, used, state, closedBy }) => [
        Number(id),
        { used: Number(used), state: resellerStateOf(state), closedBy },
      ]),
    );
  };

  /** The state as this draft leaves it. */
  readonly standing = (draft: Draft, id: number): Pick<Allowance, "state" | "closedBy"> | undefined => {
    const row = draft.find(ResellerRows, id);
    return row && { state: resellerStateOf(row.mstate), closedBy: row.closedBy };
  };

  /** Operators whose allowance is in one of these states. */
  readonly inStates = (states: readonly ResellerState[]): Condition =>
    sql<boolean>`id in (select s.id from resellers s where ${anyOf(states.map(inState))})`;

  #opened() {
    if (!this.#runtime) throw new Error("resellers are not open yet");
    return this.#runtime;
  }
}

function inState(state: ResellerState): Condition {
  return sql<boolean>`(s.mstate = ${state} or s.mstate like ${`${state}.%`})`;
}
