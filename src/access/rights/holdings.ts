// What operators hold beyond their own rows, as other rooms count it: their accounts, and what these used of the
// allowance.
/** What an allowance is at, as another room keeps it. */
export interface Allowance {
  /** Bytes that the accounts used in the current period. */
  readonly used: number;
  readonly state: AllowanceState;
  /** The limit for which its accounts are off, or about to be; empty: none. */
  readonly closedBy: "" | "volume" | "expiry";
}

/** Whether the accounts of a reseller may be served, and whether their rows say so already. */
export const ALLOWANCE_STATES = ["open", "closing", "closed", "opening"] as const;
export type AllowanceState = (typeof ALLOWANCE_STATES)[number];

export interface Holdings extends Allowance {
  /** Accounts that they own. */
  readonly users: number;
}

export const NO_HOLDINGS: Holdings = { users: 0, used: 0, state: "open", closedBy: "" };

/** What this asks of other rooms; see the ports of `AccessDeps`. */
interface HoldingPorts {
  countUsers?(adminIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  allowances?(adminIds: readonly number[]): Promise<ReadonlyMap<number, Allowance>>;
}

/** By operator; one that holds nothing is `NO_HOLDINGS`. Two reads, however many are asked for. */
export async function holdingsOf(
  { ports }: { readonly ports: HoldingPorts },
  ids: readonly number[],
): Promise<(id: number) => Holdings> {
  const [users, allowances] = await Promise.all([ports.countUsers?.(ids), ports.allowances?.(ids)]);
  return (id) => ({ ...NO_HOLDINGS, ...allowances?.get(id), users: users?.get(id) ?? 0 });
}
