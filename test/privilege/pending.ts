// Rules that the panel does not keep yet. Each entry is a promise of the model that is not held against the panel; an empty list is the aim.

const PENDING: ReadonlySet<string> = new Set(["private keys are for those who may write the pool"]);

/** Whether a rule is held against the panel already. */
export const holds = (rule: string): boolean => !PENDING.has(rule);
