// A million users that differ as those of a panel do, for the benches of what is asked about them.
import { sql, type Database, type Dialect } from "../../../src/db/index.ts";

export const NOW = Math.floor(Date.now() / 1000);
const YEAR = 365 * 86_400;
/** Seconds. */
const AHEAD = 6 * 3600;

/** Users that differ as those of a panel do: places in the table say nothing of what they hold. */
const scattered = (factor: number, most: number) => `(cast(n as bigint) * ${factor}) % ${most}`;
const expiry = `case n % 4 when 0 then 0 else ${NOW - YEAR / 4} + ${scattered(7919, YEAR)} end`;
const waits = "n % 500 = 7";
/** States of users. Users that ended are off, as the panel leaves them. */
const byState = (manual: string, waiting: string, ended: string, on: string) =>
  `case when n % 200 = 0 then ${manual} when ${waits} then ${waiting} when n % 4 <> 0 and ${expiry} <= ${NOW} then ${ended} else ${on} end`;
export const changedOf = (dialect: Dialect) => ({
  mstate: byState("'disabled.manual'", "'enabled.waiting'", "'disabled.expiry'", "'enabled.started'"),
  enable: byState("false", "true", "false", "true"),
  disabled_reason: byState("'manual'", "''", "'expiry'", "''"),
  duration: `case when ${waits} then 86400 else 0 end`,
  expiry: `case when ${waits} then 0 else ${expiry} end`,
  group_label: "'group ' || (n % 50)",
  admin_id: "case when n % 2 = 0 then 0 else n % 1000 end",
  description: "'customer ' || n",
  contact: `${dialect === "postgresql" ? "cast" : ""}('{"email":"someone' || n || '@example.org"}'${dialect === "postgresql" ? " as jsonb" : ""})`,
  contact_text: "'someone' || n || '@example.org'",
  created_at: `${NOW - YEAR} + ${scattered(104_729, YEAR)}`,
  updated_at: `${NOW - YEAR} + ${scattered(1_299_709, YEAR)}`,
});
export const counters = {
  up: scattered(15_485_863, 10_000_000_000),
  down: scattered(32_452_843, 100_000_000_000),
  // A thousand are online for as long as this takes: their agents' clocks are ahead.
  online_at: `case n % 1000 when 5 then ${NOW + AHEAD} else ${NOW} - ${scattered(7919, YEAR / 10)} end`,
};

/** Logs the users that moved lately, as the counting of usage does it. */
export async function logMoves({ commits, reads, dialect }: Database): Promise<void> {
  const ids = dialect === "sqlite" ? "group_concat(id)" : "string_agg(cast(id as text), ',')";
  await commits.execute({
    name: "bench.moves",
    statements: [
      reads.statement(
        "moves",
        sql.raw(
          `insert into usage_moves (moved_at, size, users) select ${(NOW + AHEAD) * 1_000_000}, count(*), ${ids} from user_usage where online_at = ${NOW + AHEAD}`,
        ),
      ),
    ],
  });
}
