// What is kept of links that ended (rule users.link.3): written in the commit that ends them, whichever code made it.
import { hash } from "node:crypto";
import { defineFact } from "../../db/index.ts";
import type { Consequence } from "../../feature/index.ts";
import { UserRows } from "../records/user.entity.ts";
import { EndedLinkRows } from "../records/ended-link.entity.ts";

const DAY_SECONDS = 86_400;
/** 132 bits: two keys that are not equal do not meet. */
const ID_LETTERS = 22;

/** The row of a link's key (`subId` or `subToken`). */
export function endedLinkId(key: string): string {
  return hash("sha256", key, "base64url").slice(0, ID_LETTERS);
}

/** Whether a link that ended then is still nobody else's. A setting of 0 keeps none. */
export function isStillTaken(endedAt: number, keptDays: number, now: number): boolean {
  return endedAt + keptDays * DAY_SECONDS > now;
}

/** The id of an account that goes as if it had never been: nobody has asked for its link, so the link is free. */
export const LINK_UNUSED = defineFact<number>("accounts.linkUnused");

/** Part of every change: a key that an account had and has no longer is entered as its own for some days. */
export const linksEnd: Consequence = {
  table: UserRows.name,
  record(draft, key) {
    const id = Number(key);
    const before = draft.before(UserRows, id);
    if (!before) return;
    const after = draft.find(UserRows, id);
    if (after?.subId === before.subId && after.subToken === before.subToken) return;
    if (!after && draft.facts.of(LINK_UNUSED).includes(id)) return;
    for (const link of [before.subId, before.subToken])
      if (link !== after?.subId && link !== after?.subToken)
        draft.upsert(EndedLinkRows, { id: endedLinkId(link), userId: id, endedAt: draft.time });
  },
};
