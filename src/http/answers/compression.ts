// Lists and charts that a page asks for go compressed: on a far line their size is most of what a person waits for.
//
// Only what a browser reads with its session's cookie. Programs are near, ask often, and want the processor's time for
// themselves. Other sites cannot make a browser ask (SameSite=Lax), so nobody learns from the length of an answer what
// stands beside what they had put into it.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { chooseEncoding } from "./encoding.ts";
import type { Incoming, Outgoing } from "../exchange.ts";

/** Below this an answer fits a packet or two as it is. Characters. */
const LEAST = 4096;
/** Of 9: half the time of the best, and nearly as small. */
const LEVEL = 5;
const compress = promisify(gzip);

/**
 * The answer as it goes over the wire; `method` as it came, since the answer to HEAD tells the length of what GET would
 * send to anybody.
 */
export async function compressed(
  outgoing: Outgoing,
  { facts, caller }: Pick<Incoming, "facts" | "caller">,
  method: string,
): Promise<Outgoing> {
  const { body, status, headers } = outgoing;
  if (method !== "GET" || status !== 200 || caller?.via !== "session") return outgoing;
  if (
    typeof body !== "string" ||
    body.length < LEAST ||
    chooseEncoding(facts.header("accept-encoding") ?? "", ["gzip"]) === undefined
  )
    return outgoing;
  return {
    ...outgoing,
    body: await compress(body, { level: LEVEL }),
    headers: { ...headers, "content-encoding": "gzip", vary: "accept-encoding" },
  };
}
