// How many accounts some templates serve: only a walk over all accounts can say it.
import { sql, type Reader } from "../../db/index.ts";
import { HeldWalk } from "../users/held-walk.ts";

interface Group {
  readonly all: boolean;
  readonly templateIds: readonly number[];
  readonly accounts: number;
}

export class MemberCounts {
  readonly #groups: HeldWalk<readonly Group[]>;

  /** `now`: milliseconds. */
  constructor(reads: Reader, now: () => number) {
    this.#groups = new HeldWalk(() => groupsOf(reads), now);
  }

  /** Accounts that one of the templates serves, each once. */
  async of(templateIds: readonly number[]): Promise<number> {
    if (templateIds.length === 0) return 0;
    const wanted = new Set(templateIds);
    const groups = await this.#groups.answer();
    const served = groups.filter((each) => each.all || each.templateIds.some((id) => wanted.has(id)));
    return served.reduce((sum, { accounts }) => sum + accounts, 0);
  }
}

async function groupsOf(reads: Reader): Promise<readonly Group[]> {
  const rows = await reads.query<{
    all_templates: boolean | number;
    template_ids: string | number[];
    accounts: number | string;
  }>(sql`select all_templates, template_ids, count(*) as accounts from users group by all_templates, template_ids`, {
    scans: true,
  });
  return rows.map(({ all_templates: all, template_ids: ids, accounts }) => ({
    all: Boolean(all),
    templateIds: typeof ids === "string" ? (JSON.parse(ids) as number[]) : ids,
    accounts: Number(accounts),
  }));
}
