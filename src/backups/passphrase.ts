// The passphrase of an archive as requests carry it.
import type { RequestFacts } from "../http/index.ts";
import { headerText } from "../lib/header-text.ts";

export const PASSPHRASE_HEADER = "x-backup-passphrase";

/** The passphrase in the request's header, in UTF-8; undefined: there is none, or it is empty. */
export function passphraseOf({ header }: Pick<RequestFacts, "header">): string | undefined {
  const text = header(PASSPHRASE_HEADER);
  return text === undefined || text === "" ? undefined : headerText(text);
}
