// Accounts that no node serves, whatever their own rows say: those of closed resellers. It answers what `fleet` asks
// (`fleet/usage/served-accounts.ts`) from the reseller's own row: so one commit takes all its accounts away.
import { sql, type Reader, type RowChange } from "../../db/index.ts";
import { ResellerRows, type ResellerRow } from "../records/reseller.entity.ts";

export const withheld = {
  owners: async (reads: Reader): Promise<readonly number[]> => {
    const rows = await reads.query<{ id: number }>(sql`select id from resellers where closed_by <> ''`);
    return rows.map(({ id }) => id);
  },
  ownerOf: ({ table, id, after }: RowChange): { id: number; withheld: boolean } | undefined => {
    if (table !== ResellerRows.name) return undefined;
    const row = after as ResellerRow | undefined;
    return { id: Number(id), withheld: row !== undefined && row.closedBy !== "" };
  },
} as const;
