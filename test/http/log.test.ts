// What the log says of requests: never what they carried, at any level and however they ended.
import pino from "pino";
import { expect, test } from "vitest";
import { openPanel, request } from "./panel.ts";

const SECRET = "planted-secret-7d1f";

test("bodies, credentials and query strings are in no line, whether a request succeeds, is refused or meets a defect", async () => {
  const lines: string[] = [];
  const panel = await openPanel("sqlite", { log: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }) });
  panel.caller(SECRET, { via: "session", tokenId: 0, sessionId: 9 });
  const send = (...args: Parameters<typeof request>) => panel.api.app.inject(request(...args));
  const body = { title: "n", config: { uuid: SECRET }, password: SECRET, token: SECRET, privateKey: SECRET };
  expect((await send("POST", "/api/v1/notes", body)).statusCode).toBe(200);
  expect((await send("POST", "/api/v1/notes", { ...body, title: 4 })).statusCode).toBe(400);
  expect((await send("POST", "/api/v1/notes", `{"password":"${SECRET}"`)).statusCode).toBe(400);
  expect((await send("POST", "/api/v1/nothing", body)).statusCode).toBe(404);
  expect((await send("GET", `/api/v1/notes?q=${SECRET}`)).statusCode).toBe(200);
  expect((await send("GET", "/api/v1/notes", undefined, { authorization: `Bearer wrong-${SECRET}` })).statusCode).toBe(401);
  const defect = {
    ...request("POST", "/api/v1/restart", body),
    headers: { "content-type": "application/json", cookie: `panel_session=${SECRET}` },
  };
  expect((await panel.api.app.inject(defect)).statusCode).toBe(500);
  await panel.dispose();
  expect(lines.join("")).toContain("a request failed");
  expect(lines.join("")).not.toContain(SECRET);
});
