// The format of files that are written from the code, as `npm run format` leaves it.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { format, type FormatConfig } from "oxfmt";

const OPTIONS = JSON.parse(readFileSync(new URL("../.oxfmtrc.json", import.meta.url), "utf8")) as FormatConfig;

/** Throws for a text that is not of the file's language. */
export async function formatted(file: URL, text: string): Promise<string> {
  const { code, errors } = await format(basename(file.pathname), text, OPTIONS);
  if (errors.length > 0) throw new Error(`${file.pathname}: ${errors.map(({ message }) => message).join("; ")}`);
  return code;
}
