// Parts of an inbound for which a format, or the program that reads it, has no word. The entry is listed, and connects
// without them; the preview names them (rule subscriptions.preview.3).
import { xhttpOptions } from "./clash-xhttp.ts";
import type { CoreVersion } from "./cores.ts";
import type { EntryFormatName } from "./limits.ts";
import type { Entry } from "./model.ts";
import { ofTemplate, withoutFingerprint } from "./singbox-outbound.ts";

const LINKS: readonly EntryFormatName[] = ["links", "base64"];
/** Formats that say that many connections may go through one. */
const WITH_MULTIPLEX: readonly EntryFormatName[] = ["singbox", "clash"];

/** Further options of xhttp. Links of vmess have no place for them. */
function untoldOptions(format: EntryFormatName, { protocol, transport }: Entry): readonly string[] {
  if (transport?.type !== "xhttp") return [];
  if (format === "clash") return xhttpOptions(transport.extra).untold;
  return protocol === "vmess" && LINKS.includes(format) ? Object.keys(transport.extra ?? {}) : [];
}

/** As the API names the fields of an inbound. `core`: of the program that will read the document. */
export function untoldParts(format: EntryFormatName, entry: Entry, core?: CoreVersion): readonly string[] {
  const { tls, multiplex } = entry;
  const told = tls && format === "singbox" ? ofTemplate(tls, core) : {};
  const template = Object.keys(tls?.singBoxOnly ?? {}).filter((key) => !Object.hasOwn(told, key));
  const bare = tls !== undefined && format === "singbox" && withoutFingerprint(tls, core);
  return [
    ...(bare ? ["clientConfig.tls.utls"] : []),
    ...template.map((key) => `clientConfig.tls.${key}`),
    ...untoldOptions(format, entry).map((key) => `config.transport.extra.${key}`),
    ...(multiplex && !WITH_MULTIPLEX.includes(format) ? ["config.multiplex"] : []),
  ];
}
