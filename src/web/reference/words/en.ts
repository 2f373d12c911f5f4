// Words of the API's reference, in English. What it describes is the panel's own description, which is in English.

export const page = {
  title: "API reference",
  lead: "Every operation of this panel, from its own description. Requests go to /api/v1.",
  search: "Search by path, name or purpose",
  chapters: "Chapters",
  scopes: "Scopes:",
  parameters: "Parameters",
  body: "Body",
  answers: "Answers",
  events: "Events for webhooks",
  example: "Example",
  required: "required",
  fields: "fields",
  nothing: "Nothing found.",
};

export const titles = {
  reference: "API reference",
};
