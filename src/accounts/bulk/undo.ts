// Takes back what a job did to accounts, one by one: an account that nobody touched since gets back what it had, and
// one that the job made is deleted.
import type { Step } from "../../jobs/index.ts";
import { Refusal } from "../../http/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { LINK_UNUSED } from "../links/ended-links.ts";
import type { LinkHolders } from "../links/link-holders.ts";
import { changeable, NONE_CHOSEN, type UserWriter } from "../users/user-change.ts";
import { deletionLocks } from "../users/keep-deleted.ts";
import { userLocks } from "../users/user.actor.ts";
import type { UserFields } from "../users/user-fields.ts";
import { deleteUser, restoreUser } from "../users/users.commands.ts";
import type { KeptAccount } from "./before.ts";
import { each, Tallying } from "./step.ts";

export function undoStep(
  writer: UserWriter,
  {
    origin,
    kept,
    links,
  }: { readonly origin: Origin; readonly kept: readonly KeptAccount[]; readonly links: LinkHolders },
): Step {
  const byId = new Map(kept.map((one) => [one.id, one]));
  const ids = kept.map(({ id }) => id);
  return {
    locks: kept.flatMap(({ id, made }) => (made ? [...userLocks(id), ...deletionLocks(id)] : userLocks(id))),
    decide(draft, caller) {
      const tally = new Tallying();
      each(draft, caller, ids, tally, true, (inner, acting, id) => {
        const { row } = changeable(inner, writer, acting.caller, id);
        const was = byId.get(id);
        if (!was || row.updatedAt !== was.version)
          throw new Refusal("conflict", { code: "changed_meanwhile", message: "it was changed since" });
        if (was.made) {
          // It goes as if it had never been: what was imported wrongly is imported again, under the same links.
          if (row.subFetchedAt === 0 && row.subSeenAt === 0) inner.publish(LINK_UNUSED, id);
          const before = deleteUser(inner, writer, { ...acting, origin }, id);
          return { before, after: before, changed: true, gone: true, off: undefined };
        }
        // The columns of the very account, as the job stored them.
        const { subToken, ...fields } = was.fields as Partial<UserFields> & { readonly subToken?: string };
        const { enable, counters } = was;
        const writing = { ...acting, origin, ...NONE_CHOSEN, links };
        const edit = restoreUser(inner, writer, writing, id, { fields, subToken, enable, counters });
        return { ...edit, gone: false, off: undefined };
      });
      return { ...tally.result(), before: [] };
    },
  };
}
