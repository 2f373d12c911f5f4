// What operators hold beyond their own rows, as other rooms count it: their accounts, and what these used of the
// allowance.
import type { Access } from "./access.ts";

export interface Holdings {
  /** Accounts that they own. */
  readonly users: number;
  /** Bytes that these used in the current period. */
  readonly used: number;
}

export const NO_HOLDINGS: Holdings = { users: 0, used: 0 };

/** By operator; one that holds nothing is `NO_HOLDINGS`. Two reads, however many are asked for. */
export async function holdingsOf(
  { ports }: Pick<Access, "ports">,
  ids: readonly number[],
): Promise<(id: number) => Holdings> {
  const [users, used] = await Promise.all([ports.countUsers?.(ids), ports.usedAllowance?.(ids)]);
  return (id) => ({ users: users?.get(id) ?? 0, used: used?.get(id) ?? 0 });
}
