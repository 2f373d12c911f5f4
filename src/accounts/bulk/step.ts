// Some accounts of a bulk operation as one commit: each on its own, so that one that is refused is left as it is and
// the others are done.
import { NeedLocks, passingLock, type Draft, type Lock } from "../../db/index.ts";
import { Refusal, type Caller } from "../../http/index.ts";
import { refusedProblem, type JobProblem, type Step, type Tally } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { asideOf } from "../../runtime/index.ts";
import { deletionLocks } from "../users/keep-deleted.ts";
import { editPlainly, type PlainEdit } from "../users/plain-edit.ts";
import type { UserState, UserWriter } from "../users/user-change.ts";
import { userLocks } from "../users/user.actor.ts";
import { UserRows } from "../records/user.entity.ts";
import type { BulkOp } from "./bulk.schema.ts";
import { beforeOf, beforePlain, goneOf, type KeptAccount } from "./before.ts";
import {
  applyTo,
  drawnFor,
  plainlyEdits,
  staysOff,
  type BulkArguments,
  type Done,
  type StaysOff,
} from "./operations.ts";

export interface BulkPart {
  readonly op: BulkOp;
  readonly given: BulkArguments;
  readonly origin: Origin;
  /** Accounts to be done. */
  readonly ids: readonly number[];
  /** Accounts that were named and are none of those: 404. */
  readonly missing: readonly number[];
  /** Whether each was named: one that is gone or somebody else's is told then, else it did not match. */
  readonly named: boolean;
}

/** What one account came to. */
type Outcome = Pick<Done, "before" | "after" | "changed" | "gone"> & { readonly off: StaysOff | undefined };

/** Statuses of refusals that say that a state or a limit is in the way. */
const BLOCKING: ReadonlySet<number> = new Set([402, 403, 409]);

export function bulkStep(writer: UserWriter, part: BulkPart): Step {
  const { op, given, origin, ids, missing, named } = part;
  const edit = plainlyEdits(op, given);
  if (edit) return plainStep(writer, part, edit);
  const drawn = drawnFor(op, ids);
  return {
    locks: ids.flatMap((id) => (op === "delete" ? [...userLocks(id), ...deletionLocks(id)] : userLocks(id))),
    decide(draft, caller) {
      const tally = new Tallying();
      for (const id of missing) tally.absent(id);
      each(draft, caller, ids, tally, named, (inner, acting, id) => {
        const done = applyTo(inner, writer, { ...acting, origin }, { op, given, drawn }, id);
        return { ...done, off: staysOff(inner, op, done) };
      });
      return tally.result();
    },
  };
}

/** Edits fields that stand for themselves: accounts are refused before anything of them is written. */
function plainStep(writer: UserWriter, { ids, missing, named }: BulkPart, edit: PlainEdit): Step {
  return {
    locks: ids.map((id) => passingLock(UserRows, id)),
    decide(draft, caller) {
      const tally = new Tallying();
      for (const id of missing) tally.absent(id);
      const wanted: Lock[] = [];
      for (const id of ids) {
        try {
          const edited = editPlainly(draft, writer, caller, id, edit);
          tally.edited(edited.before === edited.after ? undefined : beforePlain(edited, edit));
        } catch (error) {
          if (error instanceof NeedLocks) wanted.push(...error.locks);
          else if (error instanceof Refusal) tally.refused(id, error, named, () => userNameOf(draft, id));
          else throw error;
        }
      }
      if (wanted.length > 0) throw new NeedLocks(wanted);
      return tally.result();
    },
  };
}

/**
 * Each account as a part of the draft that is kept or refused alone. Rows that all of them miss are asked for at once.
 */
export function each(
  draft: Draft,
  caller: Caller,
  ids: readonly number[],
  tally: Tallying,
  named: boolean,
  act: (draft: Draft, acting: { caller: Caller }, id: number) => Outcome,
  nameOf: (draft: Draft, id: number) => { readonly name?: string } = userNameOf,
): void {
  const wanted: Lock[] = [];
  for (const id of ids) {
    try {
      tally.done(
        id,
        draft.attempt((inner) => act(inner, { caller }, id), { hushed: true }),
      );
    } catch (error) {
      if (error instanceof NeedLocks) wanted.push(...error.locks);
      else if (error instanceof Refusal) tally.refused(id, error, named, () => nameOf(draft, id));
      else {
        const aside = asideOf(error);
        if (!aside) throw error;
        tally.failed({ id, ...nameOf(draft, id), ...aside });
      }
    }
  }
  if (wanted.length > 0) throw new NeedLocks(wanted);
}

/** The name of an account that the caller sees: the account's own rows are locked. */
function userNameOf(draft: Draft, id: number): { readonly name?: string } {
  const row = draft.find(UserRows, id);
  return row ? { name: row.name } : {};
}

export class Tallying {
  #matched = 0;
  #blocked = 0;
  #failed = 0;
  readonly #affected: number[] = [];
  readonly #problems: JobProblem[] = [];
  readonly #before: unknown[] = [];

  done(id: number, { before, after, changed, gone, off }: Outcome): void {
    this.#matched++;
    const { name } = before.row;
    if (off?.done === false) {
      this.#blocked++;
      this.#problems.push({ id, name, error: `its limits keep it off: ${off.reason}`, code: "stays_off" });
    }
    if (!changed) return;
    const kept = gone ? goneOf(before) : beforeOf(before, after);
    if (!gone && isSame(kept, before, after)) return;
    if (off?.done !== false) this.#affected.push(id);
    if (off?.done)
      this.#problems.push({ id, name, error: `done; its reseller keeps it off: ${off.reason}`, code: "kept_off" });
    this.#before.push(kept);
  }

  /** An account that an edit may have changed; undefined: it had everything already. */
  edited(kept: KeptAccount | undefined): void {
    this.#matched++;
    if (!kept) return;
    this.#affected.push(kept.id);
    this.#before.push(kept);
  }

  /** Somebody else's, or gone since. */
  absent(id: number): void {
    this.#failed++;
    this.#problems.push({ id, error: `no user ${id}`, code: "not_found" });
  }

  failed(problem: JobProblem): void {
    this.#matched++;
    this.#failed++;
    this.#problems.push(problem);
  }

  refused(id: number, refusal: Refusal, named: boolean, name: () => Pick<JobProblem, "name">): void {
    const { status } = refusal;
    if (status === 404) {
      if (named) this.absent(id);
      return;
    }
    this.#matched++;
    if (BLOCKING.has(status)) this.#blocked++;
    else this.#failed++;
    this.#problems.push({ id, ...name(), ...refusedProblem(refusal) });
  }

  result(): Tally {
    return {
      matched: this.#matched,
      affected: this.#affected,
      blocked: this.#blocked,
      failed: this.#failed,
      problems: this.#problems.toSorted((one, other) => one.id - other.id),
      before: this.#before,
    };
  }
}

/** Nothing but the version moved: the account has what it was to have. */
function isSame({ fields, counters }: KeptAccount, { row: one }: UserState, { row: other }: UserState): boolean {
  const stands = one.enable === other.enable && one.disabledReason === other.disabledReason;
  return stands && counters === undefined && Object.keys(fields).length === 0;
}
