// What each bulk operation does to one account: the very command that the route for one account carries out, so that a
// rule of accounts is said once (rule jobs.bulk.2).
import type { Draft } from "../../db/index.ts";
import { invalid, rule } from "../../http/index.ts";
import { freshSecrets, type FreshSecrets } from "../credentials/credentials.ts";
import { NONE_CHOSEN, stateOf, type Acting, type Edit, type UserWriter } from "../users/user-change.ts";
import { plainEditOf, type PlainEdit } from "../users/plain-edit.ts";
import { extendUser, renewUser, resetUserUsage } from "../users/user-terms.commands.ts";
import { deleteUser, patchUser, rotateUser } from "../users/users.commands.ts";
import { UserRows } from "../records/user.entity.ts";
import type { BulkBody, BulkOp } from "./bulk.schema.ts";

/** What an operation is given beside the accounts. */
export type BulkArguments = Omit<BulkBody, "ids">;

/** Throws 400 for what an operation needs and was not given. */
export function refuseIncomplete(op: BulkOp, given: BulkArguments): void {
  const needed: Readonly<Partial<Record<BulkOp, keyof BulkArguments>>> = {
    extend: "seconds",
    "add-volume": "bytes",
    edit: "set",
    assign: "adminId",
  };
  const name = needed[op];
  if (name !== undefined && given[name] === undefined) invalid(name, rule("required", name));
  if (op === "edit" && Object.keys(given.set ?? {}).length === 0) invalid("set", rule("required", "set"));
}

/** What an operation writes, where it only edits fields that stand for themselves. */
export function plainlyEdits(op: BulkOp, { set }: BulkArguments): PlainEdit | undefined {
  return op === "edit" && set ? plainEditOf(set) : undefined;
}

/** What an operation did to an account. `gone`: it was deleted. */
export interface Done extends Edit {
  readonly gone: boolean;
}

/** What is drawn before it is decided, for each account. */
export function drawnFor(op: BulkOp, ids: readonly number[]): ReadonlyMap<number, FreshSecrets> {
  return new Map(op === "rotate-sub" ? ids.map((id) => [id, freshSecrets()]) : []);
}

export function applyTo(
  draft: Draft,
  writer: UserWriter,
  acting: Acting,
  { op, given, drawn }: { op: BulkOp; given: BulkArguments; drawn: ReadonlyMap<number, FreshSecrets> },
  id: number,
): Done {
  // Nothing here chooses credentials.
  const writing = { ...acting, ...NONE_CHOSEN };
  const patched = (body: NonNullable<BulkArguments["set"]>) => patchUser(draft, writer, writing, id, body, () => ({}));
  const kept = (edit: Edit): Done => ({ ...edit, gone: false });
  switch (op) {
    case "enable":
    case "disable":
      return kept(patched({ enable: op === "enable" }));
    case "edit":
      return kept(patched(given.set ?? {}));
    case "assign":
      return kept(patched({ adminId: given.adminId ?? 0 }));
    case "delete": {
      const before = deleteUser(draft, writer, acting, id);
      return { before, after: before, changed: true, gone: true };
    }
    case "reset-usage":
      return kept(resetUserUsage(draft, writer, acting, id));
    case "extend":
      return kept(extendUser(draft, writer, acting, id, { seconds: given.seconds, bytes: given.bytes }));
    case "add-volume":
      return kept(extendUser(draft, writer, acting, id, { bytes: given.bytes }));
    case "renew":
      return kept(
        renewUser(draft, writer, acting, id, { planId: given.planId, days: given.days, ...dateFor(draft, given, id) }),
      );
    case "rotate-sub": {
      const fresh = drawn.get(id);
      if (!fresh) throw new Error(`nothing was drawn for user ${id}`);
      return kept(rotateUser(draft, writer, writing, id, {}, fresh));
    }
  }
}

/** A date says nothing to an account that has not started, or that has a volume and no end. */
function dateFor(draft: Draft, { expiry }: BulkArguments, id: number): { readonly expiry?: number } {
  const row = draft.find(UserRows, id);
  if (!row || expiry === undefined) return {};
  const { duration, activatedAt, expiry: end, volume } = row;
  const undated = (duration > 0 && activatedAt === 0) || (duration === 0 && end === 0 && volume > 0);
  return undated ? {} : { expiry };
}

/** An account that is off after an operation that was to have it on. */
export interface StaysOff {
  readonly reason: string;
  /** The operation was done all the same. */
  readonly done: boolean;
}

const GIVING: ReadonlySet<BulkOp> = new Set(["renew", "extend", "add-volume", "reset-usage"]);

/**
 * What a person wanted on and its limits keep off; and what was given more while its reseller keeps it off, so that
 * whoever gave it knows why nothing happens (rule resellers.event.2).
 */
export function staysOff(draft: Draft, op: BulkOp, { before, gone }: Done): StaysOff | undefined {
  if (gone) return undefined;
  const { enable, disabledReason: reason } = stateOf(draft, before.row.id).row;
  if (enable) return undefined;
  if (op === "enable") return { reason, done: false };
  return GIVING.has(op) && reason.startsWith("resale-") ? { reason, done: true } : undefined;
}
