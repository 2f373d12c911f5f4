// Words of the audit log, in English.

export const page = {
  title: "Audit log",
  count: (_: number, text: string) => `${text} changes`,
  search: "Search by person, record or verb",
  who: "Who",
  what: "What",
  deed: "Did",
  when: "When",
  how: "How",
  token: "Token",
  address: "Address",
  record: "Record",
  onlyRecord: "Record",
  anyRecord: "Changes of every record",
  allOfRecord: "All changes of this record",
  happened: "What happened",
  changes: "Before and after",
  noDetail: "This change has no fields.",
  missing: "No such change",
  missingText: "It may be older than the log is kept.",
  none: "Nothing was changed yet",
  noneText: "Each change of a person, a token or the command line appears here.",
  spans: { hour: "Last hour", day: "Last 24 hours", week: "Last 7 days", month: "Last 30 days" },
  via: { session: "In the browser", token: "By an API token", cli: "On the command line", system: "The panel itself" },
};

export const titles = {
  audit: "Audit log",
};

export const settingLabels = {
  changes_logging: "Keep an audit log",
  changes_retention_days: "Days that the audit log is kept",
};

export const subjects = {
  changes: "Audit log",
};

export const actions = {
  create: "created",
  update: "changed",
  delete: "deleted",
  enable: "switched on",
  disable: "switched off",
  order: "order changed",
};
