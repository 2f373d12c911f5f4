// What the log says of requests: never what they carried, at any level and however they ended.
import pino from "pino";
import { expect, test } from "vitest";
import { okAnswer, Refusal, route } from "../../src/http/index.ts";
import { openPanel, request } from "./panel.ts";

const SECRET = "planted-secret-7d1f";

// rule certificates.secret.3
test("bodies, credentials and query strings are in no line, whether a request succeeds, is refused or meets a defect", async () => {
  const lines: string[] = [];
  const panel = await openPanel("sqlite", {
    log: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }),
  });
  panel.caller(SECRET, { via: "session", tokenId: 0, sessionId: 9 });
  const send = (...args: Parameters<typeof request>) => panel.api.app.inject(request(...args));
  const body = { title: "n", config: { uuid: SECRET }, password: SECRET, token: SECRET, privateKey: SECRET };
  expect((await send("POST", "/api/v1/notes", body)).statusCode).toBe(200);
  expect((await send("POST", "/api/v1/notes", { ...body, title: 4 })).statusCode).toBe(400);
  expect((await send("POST", "/api/v1/notes", `{"password":"${SECRET}"`)).statusCode).toBe(400);
  expect((await send("POST", "/api/v1/nothing", body)).statusCode).toBe(404);
  expect((await send("GET", `/api/v1/notes?q=${SECRET}`)).statusCode).toBe(200);
  expect((await send("GET", "/api/v1/notes", undefined, { authorization: `Bearer wrong-${SECRET}` })).statusCode).toBe(
    401,
  );
  const defect = {
    ...request("POST", "/api/v1/restart", body),
    headers: { "content-type": "application/json", cookie: `panel_session=${SECRET}` },
  };
  expect((await panel.api.app.inject(defect)).statusCode).toBe(500);
  await panel.dispose();
  expect(lines.join("")).toContain("a request failed");
  expect(lines.join("")).not.toContain(SECRET);
});

test("a refusal says its text once and has no stack, and a poller that is refused all day fills no log", async () => {
  const lines: Record<string, unknown>[] = [];
  const cause = new Error("connect ECONNREFUSED 192.0.2.1:7443");
  const far = (path: `/${string}`, message: string) =>
    route({
      method: "GET",
      path,
      scope: "stats:read",
      summary: "Asks a node",
      answer: okAnswer,
      handle: () => {
        throw new Refusal("upstream", { message, cause });
      },
    });
  const panel = await openPanel("sqlite", {
    log: pino(
      { level: "warn" },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    routes: [far("/far", "node 7 is not connected"), far("/farther", cause.message)],
  });
  const poll = async (path: string, times: number) => {
    for (let turn = 0; turn < times; turn++)
      expect((await panel.api.app.inject(request("GET", `/api/v1${path}`))).statusCode).toBe(502);
  };
  await poll("/far", 30);
  await poll("/farther", 5);
  expect(lines).toMatchObject([
    { method: "GET", path: "/api/v1/far", status: 502, reason: "node 7 is not connected", because: cause.message },
    { path: "/api/v1/farther", reason: cause.message },
  ]);
  panel.clock.now += 60_000;
  await poll("/far", 3);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatchObject({ path: "/api/v1/far", repeated: 29 });
  for (const line of lines) {
    expect(JSON.stringify(line)).not.toMatch(/stack|\bat \//);
    expect(JSON.stringify(line).split("ECONNREFUSED")).toHaveLength(2);
  }
  await panel.dispose();
});
