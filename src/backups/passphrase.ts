// The passphrase of an archive as requests carry it.
import type { RequestFacts } from "../http/index.ts";

export const PASSPHRASE_HEADER = "x-backup-passphrase";

/**
 * The passphrase in the request's header; undefined: there is none, or it is empty. A header holds bytes, which are
 * taken as UTF-8; those that are not are taken letter by letter.
 */
export function passphraseOf({ header }: Pick<RequestFacts, "header">): string | undefined {
  const text = header(PASSPHRASE_HEADER);
  if (text === undefined || text === "") return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch (error) {
    if (error instanceof TypeError) return text;
    throw error;
  }
}
