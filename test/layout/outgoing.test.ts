// Addresses that somebody types are reached by `src/outgoing/` alone: nothing else of the panel opens a connection, but
// for the files below, each to a place of its own. The globals (`fetch`, `WebSocket`) are refused by lint, which knows
// names of a file's own; what it exempts is in `oxlint.config.ts`.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url);

/** Programs and packages that are not the panel's server. */
const OTHERS = ["src/outgoing/", "src/agent/", "src/web/", "src/client/"];

/** Files that open connections by themselves, and where to. */
const EXEMPT: Readonly<Record<string, string>> = {
  "src/fleet/link/dial.ts":
    "agents: another right (nodes:install), own keys on both sides, private addresses are usual",
  "src/http/listeners/self-check.ts": "the panel's own listener, at the place where it was just opened",
  "src/panel/control-call.ts": "the socket of a running panel, a file in its data directory",
  "src/cli/demo/feed.ts": "the demo's own panel on loopback",
};

/** What opens connections, by its module; a type of the same name opens none. */
const OPENS: Readonly<Record<string, readonly string[]>> = {
  net: ["connect", "createConnection", "Socket"],
  tls: ["connect", "TLSSocket"],
  http: ["request", "get", "Agent", "ClientRequest"],
  https: ["request", "get", "Agent"],
  http2: ["connect"],
  dgram: ["createSocket", "Socket"],
  dns: [],
  "dns/promises": [],
  ws: ["WebSocket"],
};
/** Modules of which nothing but types is used: whoever looks a name up judges it too. */
const CLOSED = new Set(["dns", "dns/promises"]);
const IMPORT = /^import (type )?([^;"]+?) from "(?:node:)?([\w/]+)";/gm;

/** What a text imports to open connections. */
function opensWith(text: string): string[] {
  const found: string[] = [];
  for (const [, typeOnly, names = "", from = ""] of text.matchAll(IMPORT)) {
    const opens = OPENS[from];
    if (!opens || typeOnly !== undefined) continue;
    const list = /^\{(.*)\}$/s
      .exec(names)?.[1]
      ?.split(",")
      .map((name) => name.trim());
    const used = list?.filter((name) => name !== "" && !name.startsWith("type ")) ?? [names];
    const barred = used.filter((name) => !list || CLOSED.has(from) || opens.includes(name.replace(/ as .*/, "")));
    found.push(...barred.map((name) => `${from}: ${name}`));
  }
  return found;
}

const opening = new Map<string, string[]>();
for (const file of globSync("src/**/*.{ts,tsx}", { cwd: ROOT })) {
  if (OTHERS.some((place) => file.startsWith(place))) continue;
  const found = opensWith(readFileSync(new URL(file, ROOT), "utf8"));
  if (found.length > 0) opening.set(file, found);
}

// rule certificates.target.1
test("only the way out, and files with a reason, open connections", () => {
  expect([...opening].filter(([file]) => !(file in EXEMPT)).map(([file, how]) => `${file}: ${how.join(", ")}`)).toEqual(
    [],
  );
});

test("every exemption is still one", () => {
  expect(Object.keys(EXEMPT).filter((file) => !opening.has(file))).toEqual([]);
});

describe("the rule sees", () => {
  test.each([
    'import { connect } from "node:net";',
    'import { connect as reach, isIP } from "node:tls";',
    'import {\n  isIP,\n  Socket,\n} from "node:net";',
    'import { request } from "https";',
    'import http from "node:http";',
    'import * as net from "node:net";',
    'import { lookup } from "node:dns/promises";',
    'import { WebSocket } from "ws";',
  ])("%s", (text) => {
    expect(opensWith(`${text}\n`)).toHaveLength(1);
  });

  test.each([
    'import { isIP, type Socket } from "node:net";',
    'import type { Socket } from "node:net";',
    'import { createServer, type IncomingMessage } from "node:http";',
  ])("nothing in %s", (text) => {
    expect(opensWith(`${text}\n`)).toEqual([]);
  });
});
