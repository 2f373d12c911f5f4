// Names, remarks and notes that people write: what turns or ends a line is refused in all of them; joiners, which
// Persian and emoji are written with, are kept.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Route } from "../../src/http/index.ts";
import { dialects } from "../database.ts";
import { openWalkedPanel, type WalkedPanel } from "./route-table.ts";

/** Members of bodies that people read. */
const READ = ["name", "remark", "desc", "description", "group", "tag", "username", "sshUser", "sshHost", "icon"];
const PERSIAN = "می\u200cخواهم \u{1f468}\u200d\u{1f469}\u200d\u{1f467}";

interface Json {
  readonly type?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly anyOf?: readonly Json[];
  readonly allOf?: readonly Json[];
}

/** The patterns of a text, and of each text that it may be. */
function patternsOf(schema: Json): string[] {
  return [
    ...(schema.pattern === undefined ? [] : [schema.pattern]),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((each) => patternsOf(each)),
  ];
}

describe("every body", () => {
  let panel: WalkedPanel;
  beforeAll(async () => {
    panel = await openWalkedPanel("sqlite");
  });
  afterAll(() => panel.dispose());

  const texts = (routes: readonly Route[]) =>
    routes.flatMap(({ method, path, body }) => {
      if (!body) return [];
      const {
        $ref = "",
        $defs = {},
        ...plain
      } = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as Json & {
        $ref?: string;
        $defs?: Record<string, Json>;
      };
      const { properties = {} } = $defs[$ref.replace("#/$defs/", "")] ?? plain;
      return READ.flatMap((name) => {
        const schema = properties[name];
        return schema === undefined ? [] : [[`${method} ${path} ${name}`, patternsOf(schema)] as const];
      });
    });

  test("says by its patterns that no name takes control characters or turns direction", () => {
    // Looked for as they are, in no body that is written: a username to sign in with.
    const named = texts(panel.routes).filter(([name]) => !name.startsWith("POST /login "));
    expect(named.length).toBeGreaterThan(25);
    for (const [name, patterns] of named) {
      expect(patterns, name).not.toEqual([]);
      for (const bad of ["a\nb", "a\u001b[2J", "a\u009bb", "a\u202eb", "a\u2066b"]) {
        const note = /\b(desc|description)$/.test(name) && bad === "a\nb";
        expect([name, bad, patterns.every((pattern) => new RegExp(pattern, "u").test(bad))]).toEqual([
          name,
          bad,
          note && !name.includes("/tokens"),
        ]);
      }
    }
  });

  test("has patterns that other dialects of regular expressions read: no property escapes in names", () => {
    for (const [name, patterns] of texts(panel.routes))
      for (const pattern of patterns) expect([name, /\\[pP]\{/.test(pattern)]).toEqual([name, false]);
  });
});

describe.each(dialects)("names on %s", (dialect) => {
  let panel: WalkedPanel;
  beforeAll(async () => {
    panel = await openWalkedPanel(dialect);
  });
  afterAll(() => panel.dispose());
  const send = (method: Route["method"], path: string, body: object) => panel.send(method, `/api/v1${path}`, { body });

  const writes: readonly (readonly [string, (text: string) => object])[] = [
    ["/users", (name) => ({ name })],
    ["/users", (remark) => ({ name: `r${remark.length}-${remark.codePointAt(1)}`, remark })],
    ["/users", (desc) => ({ name: `d${desc.length}-${desc.codePointAt(1)}`, desc })],
    ["/users", (note) => ({ name: `c${note.length}-${note.codePointAt(1)}`, contact: { note } })],
    ["/nodes", (name) => ({ name, address: "192.0.2.1", port: 7443, enabled: false })],
    ["/templates", (name) => ({ name })],
    ["/webhooks", (name) => ({ name, url: "https://hooks.example/x" })],
    [
      "/oidc-providers",
      (name) => ({ name, kind: "oidc", issuer: `https://id.example/${name.length}`, clientId: "panel" }),
    ],
    ["/roles", (name) => ({ name, base: "admin", scopes: ["users:read"] })],
    ["/tokens", (desc) => ({ desc })],
  ];

  // rule http.body.3
  test("what turns direction or moves a terminal is refused with the rule's code, and stored nowhere", async () => {
    for (const [path, body] of writes) {
      for (const [bad, code] of [
        ["a\u202egnp.exe", "direction_characters"],
        ["a\u001b]0;owned\u0007", "control_characters"],
      ] as const) {
        const { status, body: answer } = await send("POST", path, body(bad));
        expect(
          [path, status, (answer["issues"] as { code: string }[] | undefined)?.[0]?.code],
          JSON.stringify(answer),
        ).toEqual([path, 400, code]);
      }
    }
  });

  // rule http.body.3
  test("Persian with joiners, emoji, markup, paths and formulas are names like any other: answered as they were written", async () => {
    for (const name of [
      PERSIAN,
      "<img src=x onerror=alert(1)>",
      "../../etc/passwd",
      "=1+1|cmd",
      "a: [b] #{c} %0d%0aX: y",
      "'; drop table users --",
    ]) {
      for (const [path, body] of writes) {
        const { status, body: answer } = await send("POST", path, body(name));
        expect([path, status], JSON.stringify(answer)).toEqual([path, 200]);
        const written = Object.values(body(name)).map((value) => JSON.stringify(value));
        expect(
          written.some((value) => value.includes(JSON.stringify(name)) && JSON.stringify(answer).includes(value)),
        ).toBe(true);
      }
    }
    // The audit log and the events say the name as text, too.
    const changes = await panel.send("GET", "/api/v1/changes?key=nodes&limit=50");
    expect(JSON.stringify(changes.body)).toContain(JSON.stringify("<img src=x onerror=alert(1)>"));
  });
});
