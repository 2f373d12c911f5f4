// What another site's page may have caused: by the browser's own words, for writes with a session, for writes without
// a credential, and for sockets.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openRoute } from "../../src/http/route.ts";
import { okAnswer } from "../../src/http/wire.ts";
import { openPanel, type TestPanel } from "./panel.ts";

const HOST = "panel.example";
const FOREIGN = "https://evil.example";

interface Case {
  readonly host?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What a refusal says. */
  readonly told?: { readonly origin: string; readonly expected: string };
}

const told = (origin: string, expected: string) => ({ told: { origin, expected } });
const OWN: readonly Case[] = [
  { headers: {} },
  { headers: { "sec-fetch-site": "same-origin" } },
  { headers: { "sec-fetch-site": "none" } },
  { headers: { origin: `https://${HOST}` } },
  { headers: { origin: `http://${HOST}` } },
  { headers: { origin: `https://${HOST}:443` } },
  { host: `${HOST}:443`, headers: { origin: `https://${HOST}` } },
  { host: `${HOST}:8443`, headers: { origin: `https://${HOST}:8443`, "sec-fetch-site": "same-origin" } },
  { host: "PANEL.example", headers: { origin: `https://${HOST}` } },
  { host: "[2001:db8::1]:8443", headers: { origin: "https://[2001:db8::1]:8443" } },
  // A proxy dropped the port, or wrote its own.
  { headers: { origin: `https://${HOST}:8443`, "sec-fetch-site": "same-origin" } },
  { host: `${HOST}:8080`, headers: { origin: `https://${HOST}:8443`, "sec-fetch-site": "same-origin" } },
  { host: `${HOST}:80`, headers: { origin: `https://${HOST}`, "sec-fetch-site": "same-origin" } },
];
const OTHERS: readonly Case[] = [
  { headers: { origin: FOREIGN }, ...told(FOREIGN, `https://${HOST}`) },
  { headers: { origin: FOREIGN, "sec-fetch-site": "cross-site" }, ...told(FOREIGN, `https://${HOST}`) },
  // No browser says so; whatever does is no page of the panel's.
  { headers: { origin: FOREIGN, "sec-fetch-site": "same-origin" }, ...told(FOREIGN, `https://${HOST}`) },
  { headers: { origin: FOREIGN, "sec-fetch-site": "none" }, ...told(FOREIGN, `https://${HOST}`) },
  {
    headers: { origin: `https://a.${HOST}`, "sec-fetch-site": "same-site" },
    ...told(`https://a.${HOST}`, `https://${HOST}`),
  },
  { headers: { origin: `https://${HOST}:8443` }, ...told(`https://${HOST}:8443`, `https://${HOST}`) },
  {
    headers: { origin: `https://${HOST}:8443`, "sec-fetch-site": "same-site" },
    ...told(`https://${HOST}:8443`, `https://${HOST}`),
  },
  // Behind a proxy that drops the port a page of port 443 looks like the panel's own; the browser knows better.
  {
    headers: { origin: `https://${HOST}`, "sec-fetch-site": "same-site" },
    ...told(`https://${HOST}`, `https://${HOST}`),
  },
  {
    headers: { origin: `https://${HOST}:8443`, "sec-fetch-site": "same-origin, cross-site" },
    ...told(`https://${HOST}:8443`, `https://${HOST}`),
  },
  { headers: { origin: "null" }, ...told("null", `http://${HOST}`) },
  { headers: { origin: "null", "sec-fetch-site": "same-origin" }, ...told("null", `http://${HOST}`) },
  { headers: { origin: HOST }, ...told(HOST, `http://${HOST}`) },
  { headers: { origin: `https://${HOST}.evil.example` }, ...told(`https://${HOST}.evil.example`, `https://${HOST}`) },
  { headers: { origin: `https://evil.example#@${HOST}` }, ...told(`https://evil.example#@${HOST}`, `https://${HOST}`) },
  { headers: { "sec-fetch-site": "cross-site" }, ...told("", `http://${HOST}`) },
  { headers: { "sec-fetch-site": "same-site" }, ...told("", `http://${HOST}`) },
  {
    headers: { origin: `${FOREIGN}/${"x".repeat(3000)}` },
    ...told(`${FOREIGN}/${"x".repeat(179)}`, `https://${HOST}`),
  },
];

let panel: TestPanel;
beforeAll(async () => {
  const open = openRoute({
    method: "POST",
    path: "/knock",
    summary: "What nobody needs a credential for",
    answer: okAnswer,
    handle: () => Promise.resolve({ ok: true as const }),
  });
  panel = await openPanel("sqlite", { routes: [open] });
  panel.caller("cookie", { via: "session", tokenId: 0, sessionId: 5, rateLimit: 0 });
  panel.caller("program", { tokenId: 9, rateLimit: 10_000 });
  await panel.api.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => panel.dispose());

async function send(url: string, { host = HOST, headers }: Case, credential: Record<string, string>) {
  panel.clock.now += 60_000;
  const answer = await panel.api.app.inject({
    method: "POST",
    url,
    headers: { host, ...headers, ...credential },
    payload: { title: `note ${Math.random()}` },
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

const WAYS = [
  ["a session", "/api/notes", { cookie: "panel_session=cookie" }],
  ["a session, on an open route", "/api/v1/knock", { cookie: "panel_session=cookie" }],
  ["no credential, on an open route", "/api/v1/knock", {}],
  ["a credential that is none, on an open route", "/api/v1/knock", { cookie: "panel_session=none" }],
] as const;

// rule access.session.8
test.each(WAYS)(
  "with %s the panel's own pages write, other pages are refused and told both names",
  async (_, url, by) => {
    for (const own of OWN) expect([own, (await send(url, own, by)).status]).toEqual([own, 200]);
    for (const other of OTHERS) {
      const { status, body } = await send(url, other, by);
      expect([other, status, body]).toEqual([
        other,
        403,
        expect.objectContaining({ code: "cross_site", ...other.told }),
      ]);
      if (other.told?.origin !== "") expect(body["error"]).toContain(JSON.stringify(other.told?.origin));
    }
  },
);

// rule access.session.8
test("a program with a token says what it likes, and everybody may read", async () => {
  for (const { headers } of OTHERS) {
    expect((await send("/api/notes", { headers }, { authorization: "Bearer program" })).status).toBe(200);
    const read = { cookie: "panel_session=cookie", host: HOST, ...headers };
    expect((await panel.api.app.inject({ method: "GET", url: "/api/notes", headers: read })).statusCode).toBe(200);
  }
});

// rule access.session.8
test("a socket with the cookie is for the panel's own pages; one with a token for whoever has it", async () => {
  const { port } = panel.api.app.server.address() as AddressInfo;
  const opened = async ({ host = HOST, headers }: Case, credential: Record<string, string>): Promise<string> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/echo`, { headers: { host, ...headers, ...credential } });
    const refused = new Promise<string>((resolve) => socket.once("error", ({ message }) => resolve(message)));
    const answer = await Promise.race([once(socket, "open").then(() => "open"), refused]);
    socket.terminate();
    return answer;
  };
  const session = { cookie: "panel_session=cookie" };
  for (const own of OWN) expect([own, await opened(own, session)]).toEqual([own, "open"]);
  for (const other of OTHERS)
    expect([other, await opened(other, session)]).toEqual([other, expect.stringContaining("403")]);
  const [other] = OTHERS;
  if (other) expect(await opened(other, { authorization: "Bearer program" })).toBe("open");
});
