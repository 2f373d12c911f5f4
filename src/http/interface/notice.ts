// The page that is shown while there is no interface: plain sentences, nothing to load.
import type { FastifyReply } from "fastify";
import { newNonce, pageHeaders } from "./policy.ts";

/** Why there is no interface to serve, for the person who asked for it. */
export interface Notice {
  readonly title: string;
  /** One sentence each. */
  readonly lines: readonly string[];
  /** Seconds after which the page automatically tries again. */
  readonly retryAfter: number;
}

/** The interface is taking longer to build than a request waits. */
export const BUILDING: Notice = {
  title: "The interface is being built",
  lines: ["This takes a few seconds after an update. The page opens by itself; the API serves meanwhile."],
  retryAfter: 2,
};

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;margin:20vh auto;max-width:34rem;padding:0 1.5rem}h1{font-size:1.25rem;font-weight:600}" +
  ":root{color-scheme:light dark}p{opacity:.8}";

/** Answers 503 with the notice. */
export function sendNotice(reply: FastifyReply, { title, lines, retryAfter }: Notice): FastifyReply {
  const nonce = newNonce();
  const body = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="${retryAfter}">`,
    `<style nonce="${nonce}">${STYLE}</style></head><body><h1>${escaped(title)}</h1>`,
    ...lines.map((line) => `<p>${escaped(line)}</p>`),
    "</body></html>\n",
  ];
  return reply
    .code(503)
    .headers({ ...pageHeaders(nonce), "retry-after": String(retryAfter) })
    .type("text/html; charset=utf-8")
    .send(body.join("\n"));
}

/** Text for HTML, also between double quotes. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
