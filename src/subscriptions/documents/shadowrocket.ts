// What Shadowrocket shows of a subscription (rule subscriptions.header.5): two lines at the head of the list are its
// own spelling of the title and of the figures.
import { oneLine } from "../../lib/one-line.ts";

const SHADOWROCKET = /^shadowrocket\//i;

/** What stands at the head of its list; an empty text has no line. */
export interface ShadowrocketHead {
  readonly title: string;
  readonly used: string;
  readonly total: string;
  /** A date. Undefined: it does not end. */
  readonly expires: string | undefined;
  readonly announce: string;
}

/** Whether a client is Shadowrocket, by what it calls itself. */
export function isShadowrocket(userAgent: string): boolean {
  return SHADOWROCKET.test(userAgent);
}

/** A list in base64 with the head in front of its links, in base64 too. */
export function withShadowrocketHead(list: string, head: ShadowrocketHead): string {
  const { title, used, total, expires, announce } = head;
  const status = [`${used} / ${total}`, expires ?? "", announce].map(plain).filter((part) => part !== "");
  const lines = [`STATUS=${status.join(" · ")}`, ...(plain(title) === "" ? [] : [`REMARKS=${plain(title)}`])];
  return Buffer.from(`${lines.join("\r\n")}\r\n${Buffer.from(list, "base64").toString("utf8")}`, "utf8").toString(
    "base64",
  );
}

/** No text reaches a line of its own, where it would be read as a server. */
function plain(text: string): string {
  return oneLine(text.toWellFormed()).trim();
}
