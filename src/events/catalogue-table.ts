// The catalogue as the Markdown table of docs/events.md.
import type { Catalogue } from "./catalogue.ts";

/** Lines of the table, without a line end after the last. */
export function catalogueTable(catalogue: Catalogue): string {
  const rows = catalogue.all.map(({ name, scope, description, fields }) => {
    const listed = fields.map((field) => `${field.name}: ${field.type}`).join(", ");
    return `| \`${name}\` | ${scope === "" ? "any" : `\`${scope}\``} | ${description} | ${listed} |`;
  });
  return ["| Event | Scope | Raised when | Fields |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
