// Strict handling: names that a route does not know are refused, wherever they stand.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { okAnswer, route } from "../../src/http/index.ts";
import { openPanel, request, type TestPanel } from "./panel.ts";

const Depth = z.object({
  name: z.string().optional(),
  list: z.array(z.object({ a: z.int() })).optional(),
  either: z
    .union([z.object({ by: z.literal("x"), x: z.int() }), z.object({ by: z.literal("y"), y: z.int() })])
    .optional(),
  free: z.record(z.string(), z.object({ a: z.int() })).default({}),
  anything: z.unknown().optional(),
  trimmed: z
    .object({ text: z.string() })
    .transform(({ text }) => text.trim())
    .nullable()
    .optional(),
});

let panel: TestPanel;
beforeAll(async () => {
  panel = await openPanel("sqlite", {
    routes: [
      route({
        method: "POST",
        path: "/deep",
        scope: "users:write",
        summary: "A body with depth",
        body: Depth,
        answer: okAnswer,
        handle: () => ({ ok: true as const }),
      }),
    ],
  });
  panel.caller("strict", { tokenId: 31 });
});
afterAll(() => panel.dispose());

const STRICT = { authorization: "Bearer strict", prefer: "handling=strict" };

async function send(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = STRICT,
) {
  const answer = await panel.api.app.inject(request(method, path, body, headers));
  const { field, issues, code } = answer.json<{ field?: string; code?: string; issues?: { path: string }[] }>();
  return {
    status: answer.statusCode,
    code,
    field,
    paths: issues?.map(({ path: each }) => each) ?? [],
    applied: answer.headers["preference-applied"],
  };
}

// rule http.strict.1
test("unknown members are named at every depth, unknown parameters too, and the answer says that it was strict", async () => {
  const body = {
    nmae: "x",
    list: [{ a: 1 }, { a: 1, b: 2 }],
    either: { by: "y", y: 1, x: 2 },
    free: { any: { a: 1, c: 3 }, other: { a: 1 } },
    anything: { goes: { on: 1 } },
    trimmed: { text: "t", u: 1 },
    __proto__x: 1,
  };
  const refused = await send("POST", "/api/v1/deep?colour=red", body);
  expect(refused).toMatchObject({ status: 400, code: "validation", field: "colour", applied: "handling=strict" });
  expect(refused.paths.toSorted()).toEqual(
    ["__proto__x", "colour", "either.x", "free.any.c", "list.1.b", "nmae", "trimmed.u"].toSorted(),
  );
  const own = '{"__proto__": {"a": 1}, "constructor": 1}';
  expect((await send("POST", "/api/v1/deep", own)).paths.toSorted()).toEqual(["__proto__", "constructor"]);
  const known = { name: "x", list: [{ a: 1 }], either: { by: "x", x: 1 }, trimmed: null, anything: { a: 1 } };
  expect(await send("POST", "/api/v1/deep", known)).toMatchObject({ status: 200, applied: "handling=strict" });
  expect(await send("GET", "/api/v1/notes?limit=1&sort=size&order=asc")).toMatchObject({ status: 200 });
  expect(await send("GET", "/api/v1/notes?limt=1")).toMatchObject({ status: 400, field: "limt", paths: ["limt"] });
  expect((await send("GET", "/api/v1/notes?limt=")).paths).toEqual(["limt"]);
  // A route that takes no body.
  expect(await send("POST", "/api/v1/notes", { title: "t", siez: 1 })).toMatchObject({ status: 400, field: "siez" });
  expect(panel.handled).toEqual([]);
});

// rule http.strict.1
test("who does not ask for it is not refused, and only this preference asks for it", async () => {
  const calm = { authorization: "Bearer strict" };
  for (const prefer of [
    undefined,
    "handling=lenient",
    "return=minimal",
    "handling=lenient, handling=strict",
    "strict",
  ]) {
    const headers = { ...calm, ...(prefer === undefined ? {} : { prefer }) };
    const answer = await send("POST", "/api/v1/deep?colour=red", { nmae: 1 }, headers);
    expect([prefer, answer.status, answer.applied]).toEqual([prefer, 200, undefined]);
  }
  for (const prefer of ['Handling="strict"', "return=minimal, handling=strict; x=1", "wait=5,handling = strict"])
    expect([prefer, (await send("POST", "/api/v1/deep", { nmae: 1 }, { ...calm, prefer })).status]).toEqual([
      prefer,
      400,
    ]);
});

// rule http.strict.1
test("a socket refuses at its handshake", async () => {
  const base = await panel.api.app.listen({ host: "127.0.0.1", port: 0 });
  const dial = (query: string) =>
    new WebSocket(`${base.replace("http", "ws")}/api/v1/echo${query}`, { headers: STRICT });
  const [, refused] = (await once(dial("?colour=red"), "unexpected-response")) as [unknown, IncomingMessage];
  expect([refused.statusCode, refused.headers["preference-applied"]]).toEqual([400, "handling=strict"]);
  const open = dial("");
  await once(open, "open");
  open.terminate();
});
