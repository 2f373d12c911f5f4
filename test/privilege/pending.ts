// Rules that the panel does not keep yet. Each entry is a promise of the model that is not held against the panel; an empty list is the aim.

const PENDING: ReadonlySet<string> = new Set([
  "emptying the audit log is sensitive",
  "another's token needs coverage",
  "another's webhook needs coverage",
  "a webhook hears what its maker and its editor may",
  "a provider with links needs the coverage of the linked accounts",
  "a token does not change its own account's password",
  "private keys are for those who may write the pool",
]);

/** Whether a rule is held against the panel already. */
export const holds = (rule: string): boolean => !PENDING.has(rule);
