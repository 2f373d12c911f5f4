// Owners of the tags of outbounds, endpoints and tunnels. They are decided on locked rows, so that two writers cannot
// take the same tag.
import type { Draft } from "../db/index.ts";
import { Refusal } from "../http/index.ts";
import { ExitTagRows } from "./exit-tag.entity.ts";

/** Takes a tag for a record. Throws 400 `duplicate` with `field` when another record has it. */
export function takeExitTag(draft: Draft, tag: string, owner: string, field = "tag"): void {
  const taken = draft.find(ExitTagRows, tag);
  if (taken?.owner === owner) return;
  if (taken) {
    const [kind = "record"] = taken.owner.split(":");
    throw new Refusal("duplicate", { message: `${field}: "${tag}" is the tag of another ${kind}`, field });
  }
  draft.insert(ExitTagRows, { id: tag, owner });
}

/** Gives a tag back: the record was renamed or deleted. */
export function releaseExitTag(draft: Draft, tag: string): void {
  draft.delete(ExitTagRows, tag);
}

/** The owner of a tag, for example `tunnel:7`; undefined for a tag that nothing has. */
export function ownerOfExitTag(draft: Draft, tag: string): string | undefined {
  return draft.find(ExitTagRows, tag, "read")?.owner;
}
