// The three fixed roles, one for each tier: rows like any other, made when absent.
import { sql, UniqueConflict, type Committer, type Reader } from "../../db/index.ts";
import { TIERS } from "../../http/index.ts";
import { RoleRows, type RoleRow } from "../records/admin.entity.ts";
import { TIER_SCOPES } from "./reach.ts";

const DESCRIPTIONS = { sudo: "Full access", admin: "Operational routes", resale: "Only the users it owns" } as const;

/** The role of a name. */
export async function roleNamed(reads: Reader, name: string): Promise<RoleRow | undefined> {
  const [row] = await reads.rows(RoleRows, sql`select * from roles where name = ${name}`);
  return row;
}

/** Makes the built-in roles where they are absent. Several processes may do so at once. */
export async function ensureBuiltinRoles(commits: Committer, reads: Reader): Promise<void> {
  for (const base of TIERS) {
    if (await roleNamed(reads, base)) continue;
    try {
      await commits.submit({
        name: "roles.builtin",
        locks: [],
        decide(draft) {
          draft.insert(RoleRows, {
            id: draft.nextId("roles"),
            name: base,
            base,
            builtin: true,
            description: DESCRIPTIONS[base],
            scopes: [...TIER_SCOPES[base]],
            userLimit: 0,
            maxDeviceLimit: 0,
            maxDuration: 0,
            assignments: 0,
            createdAt: draft.time,
            updatedAt: draft.time,
          });
        },
      });
    } catch (error) {
      // Another process made it first.
      if (!(error instanceof UniqueConflict)) throw error;
    }
  }
}
