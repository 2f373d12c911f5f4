// What is kept of a receiver's answer, for whoever looks why a delivery failed. A receiver may be hostile: what is kept
// is bounded, and text whatever was sent.
import type { OutgoingResponse } from "../outgoing/index.ts";
import type { DeliveryExchange } from "./delivery.entity.ts";

/** Bytes of the body. */
export const MOST_BODY = 4096;
const MOST_HEADERS = 40;
const LONGEST = 512;

/** What a receiver gives to its clients alone. */
const PRIVATE_HEADER = /^(set-cookie|set-cookie2|www-authenticate|proxy-authenticate|authentication-info)$/;

/** No database stores a NUL in text. */
const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed();

type Kept = Pick<DeliveryExchange, "headers" | "body">;

export function keptOf(answer: Pick<OutgoingResponse, "headers" | "body"> | undefined): Kept {
  if (!answer) return { headers: {}, body: "" };
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !PRIVATE_HEADER.test(name))
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [name.slice(0, 128), storable(String(value).slice(0, LONGEST))] as const);
  return { headers: Object.fromEntries(headers), body: storable(answer.body.toString("utf8")) };
}
