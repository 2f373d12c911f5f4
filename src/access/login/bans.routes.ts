// /api/security/bans: addresses that may not sign in for a while, and lifting a ban (rules access.ban).
import { z } from "zod";
import { lock, sql } from "../../db/index.ts";
import { notFound, okAnswer, route, type Route } from "../../http/index.ts";
import { sourceKey } from "../../lib/addresses.ts";
import { readAddress } from "../../lib/written-address.ts";
import type { Access } from "../access.ts";
import { LoginAttemptRows } from "../records/change.entity.ts";
import { Ban } from "./bans.schema.ts";
import { isBanned, longestBan } from "./login-guard.ts";

/** Rows of an answer, the latest first: a flood of bans does not make an endless one. */
const MOST = 1000;

const tiers = ["sudo", "admin"] as const;

/** An address, or a source as the list shows it: an IPv4 address or the /64 of an IPv6 one. */
function sourceOf(text: string): string {
  const address = readAddress(text);
  return address === undefined ? text : sourceKey(address);
}

export function banRoutes({ reads, now }: Access): Route[] {
  return [
    route({
      scope: "security:read",
      tiers,
      method: "GET",
      path: "/security/bans",
      summary: "Addresses that may not sign in for now, the latest first",
      description: `At most ${MOST}. IPv6 addresses are banned by their /64.`,
      answer: z.array(Ban),
      handle: async () => {
        const time = Math.floor(now() / 1000);
        const rows = await reads.rows(
          LoginAttemptRows,
          sql`select * from login_attempts where banned_until > ${time} and banned_until <= ${longestBan(time)}
            order by banned_until desc, id limit ${MOST}`,
        );
        return rows.map(({ id, bannedUntil, banReason, banAttempts }) => ({
          ip: id,
          until: bannedUntil,
          reason: banReason,
          attempts: banAttempts,
        }));
      },
    }),
    route({
      scope: "security:write",
      tiers,
      method: "DELETE",
      path: "/security/bans/{ip}",
      summary: "Lift a ban: the address may sign in at once",
      params: z.object({ ip: z.string().max(64) }),
      answer: okAnswer,
      audit: { key: "bans", action: "delete" },
      statuses: [404],
      handle: ({ params: { ip }, commit }) => {
        const source = sourceOf(ip);
        return commit({
          locks: [lock(LoginAttemptRows, source)],
          decide(draft) {
            const row = draft.find(LoginAttemptRows, source);
            if (!row || !isBanned(row, draft.time)) return notFound("ban", ip);
            draft.delete(LoginAttemptRows, source);
            const { bannedUntil: until, banReason: reason, banAttempts: attempts } = row;
            return { answer: { ok: true }, audit: { entityId: source, before: { until, reason, attempts } } };
          },
        });
      },
    }),
  ];
}
