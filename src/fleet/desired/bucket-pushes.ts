// Whole buckets of users, divided into messages that an agent takes.
import type { PlanUser } from "../../protocol/plan.ts";
import type { UserSets } from "./user-sets.ts";

/** Users in one message: some 4 MB at most. */
const USERS_PER_PUSH = 10_000;

interface BucketPush {
  readonly buckets: Record<string, PlanUser[]>;
  count: number;
}

/** At least one, so that buckets that became empty are told too. */
export async function bucketPushes(
  sets: Pick<UserSets, "usersOf">,
  templateId: number,
  differing: ReadonlySet<number>,
): Promise<readonly BucketPush[]> {
  const users = templateId === 0 ? new Map<number, PlanUser[]>() : await sets.usersOf(templateId, differing);
  const pushes: BucketPush[] = [];
  let current: BucketPush = { buckets: {}, count: 0 };
  for (const bucket of differing) {
    const members = users.get(bucket) ?? [];
    if (current.count > 0 && current.count + members.length > USERS_PER_PUSH) {
      pushes.push(current);
      current = { buckets: {}, count: 0 };
    }
    current.buckets[String(bucket)] = members;
    current.count += members.length;
  }
  return [...pushes, current];
}
