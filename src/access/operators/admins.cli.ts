// `signalbox admin create|reset-password|disable-2fa`: the same rules as the routes, with the command line's own
// authority.
import { lock, sql, UniqueConflict, type Committer, type Draft, type Reader } from "../../db/index.ts";
import { type AuditRecord, invalid, Refusal, rule, ruleSaying } from "../../http/index.ts";
import type { Origin } from "../../lib/origin.ts";
import type { Outbox } from "../../runtime/index.ts";
import { AdminRows, type AdminRow } from "../records/admin.entity.ts";
import { adminView } from "./admins.schema.ts";
import { NO_HOLDINGS } from "../rights/holdings.ts";
import { newAdmin, takeRole } from "./admins.commands.ts";
import { ensureBuiltinRoles, roleNamed } from "../rights/builtin-roles.ts";
import { adminNamed } from "../login/logins.queries.ts";
import { passwords } from "../login/password-queue.ts";
import { checkPassword, Username } from "../login/passwords.ts";
import { endSessions } from "../login/sessions.commands.ts";
import { removeLinks } from "../sso/links.commands.ts";
import { switchTwoFactor } from "../two-factor/two-factor.commands.ts";

interface Store {
  readonly commits: Committer;
  readonly reads: Reader;
  /** Writes the audit record with the change, as a route's. */
  readonly audit: (draft: Draft, record: AuditRecord) => void;
  readonly origin: Origin;
}

/**
 * Creates an operator; the first main admin becomes the owner. Resolves to its id. Throws a refusal that names what is
 * wrong.
 */
export async function createAdmin(
  { commits, reads, audit, origin }: Store,
  given: { readonly username: string; readonly password: string; readonly role: string },
): Promise<number> {
  const { username, password } = given;
  if (!Username.safeParse(username).success) invalid("username", rule("username"));
  checkPassword(password, username);
  await ensureBuiltinRoles(commits, reads);
  const role = (await roleNamed(reads, given.role)) ?? invalid("role", rule("absent", "role", given.role));
  const passwordHash = await passwords.hash(password, "known");
  const owned = await reads.rows(AdminRows, sql`select * from admins where owner`);
  const created = commits.submit({
    name: "admin.create",
    locks: [],
    decide(draft) {
      const taken = takeRole(draft, role.id);
      const row = newAdmin(
        draft,
        {
          username,
          passwordHash,
          roleId: role.id,
          owner: owned.length === 0 && role.base === "sudo",
        },
        "",
      );
      draft.insert(AdminRows, row);
      audit(draft, {
        origin,
        key: "admins",
        action: "create",
        entityId: String(row.id),
        obj: adminView(row, taken, NO_HOLDINGS),
      });
      return row.id;
    },
  });
  return created.catch((error: unknown) => {
    if (error instanceof UniqueConflict)
      throw new Refusal("duplicate", { message: `username: ${username} is taken`, cause: error });
    throw error;
  });
}

/** Sets an operator's password, ends its sessions and removes its links to identity providers. */
export async function resetPassword(
  { commits, reads, audit, origin }: Store,
  username: string,
  password: string,
): Promise<void> {
  const admin = (await adminNamed(reads, username)) ?? invalid("username", rule("absent", "operator", username));
  checkPassword(password, admin.username);
  const passwordHash = await passwords.hash(password, "known");
  await commits.submit({
    name: "admin.reset-password",
    locks: [lock(AdminRows, admin.id)],
    decide(draft) {
      const row = stillThere(draft, admin.id);
      draft.touch(AdminRows, row.id, { passwordHash });
      endSessions(draft, row.id);
      removeLinks(draft, row.id);
      audit(draft, { origin, key: "admins", action: "password", entityId: String(row.id), obj: {} });
    },
  });
}

/** The operator as it stands now: it was found before its lock was held. */
function stillThere(draft: Draft, id: number): AdminRow {
  return draft.find(AdminRows, id) ?? invalid("username", ruleSaying("the operator was deleted meanwhile", "gone"));
}

/**
 * Switches an operator's two-factor off: the way back in for one who lost device and recovery codes. Nothing happens
 * where it is off.
 */
export async function disableTwoFactor(
  { commits, reads, outbox, audit, origin }: Store & { readonly outbox: Pick<Outbox<"admin.2fa_changed">, "raise"> },
  username: string,
): Promise<void> {
  const admin = (await adminNamed(reads, username)) ?? invalid("username", rule("absent", "operator", username));
  await commits.submit({
    name: "admin.disable-2fa",
    locks: [lock(AdminRows, admin.id)],
    decide(draft) {
      const row = stillThere(draft, admin.id);
      if (row.twoFactorAt === 0) return;
      switchTwoFactor(draft, outbox, row, undefined);
      audit(draft, { origin, key: "admins", action: "2fa.disable", entityId: String(row.id), obj: {} });
    },
  });
}
