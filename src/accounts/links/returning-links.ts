// Links that come back with a file: whoever exported accounts and deleted them may import them again as they were (rule
// users.link.4), though their links ended.
import { sql } from "../../db/index.ts";
import { visibleTo, type Owning } from "../../http/index.ts";
import { DeletedUserRows, type DeletedUserRow } from "../records/deleted-user.entity.ts";
import { linkHolders, type LinkDeps, type LinkHolder, type LinkHolders } from "./link-holders.ts";

/** What a line of an export says of an account's link, and by which secrets it shows that it is of that account. */
export interface ExportedLink {
  readonly subId?: string | undefined;
  readonly subToken?: string | undefined;
  readonly config?: { readonly uuid?: string | undefined } | undefined;
}

const FREE: LinkHolder = { living: [], ended: undefined };

/**
 * The holders for an import: a link that ended with a deleted account is free for a line that knows a secret of that
 * account, if the caller sees the account: it could bring the account back instead.
 */
export async function holdersForImport(
  deps: LinkDeps,
  owner: Owning,
  lines: readonly ExportedLink[],
): Promise<LinkHolders> {
  const holders = await linkHolders(
    deps,
    lines.map(({ subId }) => subId),
  );
  const ended = lines.flatMap((line) => {
    const from = holders.get(line.subId ?? "")?.ended;
    const shows = line.subToken !== undefined || line.config?.uuid !== undefined;
    return from === undefined || !shows ? [] : [{ line, key: line.subId ?? "", from }];
  });
  if (ended.length === 0) return holders;
  const ids = [...new Set(ended.map(({ from }) => from))];
  const rows = await deps.reads.rows(DeletedUserRows, sql`select * from deleted_users where id in (${sql.join(ids)})`);
  const deleted = new Map(rows.map((row) => [row.id, row]));
  const returning = ended.filter(({ line, from }) => {
    const row = deleted.get(from);
    return row !== undefined && visibleTo(owner, row.adminId) && isOf(line, row);
  });
  return new Map([...holders, ...returning.map(({ key, from }) => [key, { ...FREE, returnsFrom: from }] as const)]);
}

function isOf({ subToken, config }: ExportedLink, { account }: DeletedUserRow): boolean {
  const was = account.row;
  if (subToken !== undefined && subToken === was.subToken) return true;
  const uuid = config?.uuid?.toLowerCase() ?? "";
  return uuid !== "" && uuid === was.config?.uuid.toLowerCase();
}
