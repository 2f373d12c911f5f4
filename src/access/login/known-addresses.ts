// Addresses from which somebody signed in, on any process: where the panel is flooded they are served first. Remembered
// as far as sessions and last sign-ins go, the latest ones.
import { sql, type Committed, type Committer, type Reader } from "../../db/index.ts";
import { sourceKey } from "../../lib/addresses.ts";
import { AdminRows, type AdminRow } from "../records/admin.entity.ts";
import { SessionRows, type SessionRow } from "../records/credential.entity.ts";
import type { Standing } from "./password-queue.ts";

const REMEMBERED = 10_000;

export class KnownAddresses {
  /** Oldest first. */
  readonly #sources = new Set<string>();
  readonly #unlisten: () => void;

  private constructor(commits: Committer) {
    this.#unlisten = commits.onCommit((committed) => this.#follow(committed));
  }

  static async open(commits: Committer, reads: Reader): Promise<KnownAddresses> {
    const known = new KnownAddresses(commits);
    const rows = await reads.query<{ ip: string }>(
      sql`select ip from (
        select ip, last_seen_at as at from sessions union all select last_login_ip as ip, last_login_at as at from admins
      ) uses where ip <> '' order by at desc limit ${REMEMBERED}`,
    );
    for (const { ip } of rows.toReversed()) known.#note(ip);
    return known;
  }

  standingOf(ip: string): Standing {
    return this.#sources.has(sourceKey(ip)) ? "known" : "stranger";
  }

  close(): void {
    this.#unlisten();
  }

  #follow({ changes }: Committed): void {
    for (const { table, after } of changes) {
      if (table === SessionRows.name) this.#note((after as SessionRow | undefined)?.ip);
      else if (table === AdminRows.name) this.#note((after as AdminRow | undefined)?.lastLoginIp);
    }
  }

  #note(ip: string | undefined): void {
    if (ip === undefined || ip === "") return;
    const source = sourceKey(ip);
    this.#sources.delete(source);
    this.#sources.add(source);
    const [oldest] = this.#sources;
    if (this.#sources.size > REMEMBERED && oldest !== undefined) this.#sources.delete(oldest);
  }
}
