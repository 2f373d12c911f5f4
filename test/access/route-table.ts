// The real panel's table of routes, and a way to send to every one of them; for tests that walk it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readEnvironment } from "../../src/panel/environment.ts";
import { Door, type Route } from "../../src/http/index.ts";
import type { Undo } from "../../src/feature/index.ts";
import { openParts } from "../../src/panel/parts.ts";
import { openSurface } from "../../src/panel/surface.ts";
import type { Dialect } from "../../src/db/index.ts";
import { createMigratedDatabase } from "../database.ts";

export interface WalkedPanel {
  readonly routes: readonly Route[];
  /** Sends to a path; `as` is a bearer token. */
  send(
    method: Route["method"] | "HEAD",
    url: string,
    options?: { readonly as?: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<WalkedAnswer>;
  /** An API token of the owner, or of a new account on a role, with these scopes. */
  token(scopes: readonly string[], role?: string): Promise<string>;
  dispose(): Promise<void>;
}

export interface WalkedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A path of a route that names records which do not exist. */
export function pathOf({ path }: Pick<Route, "path">): string {
  return `/api/v1${path.replaceAll(/\{[^}]+\}/g, "999999")}`;
}

/** The panel without its moving parts, set up. */
export async function openWalkedPanel(dialect: Dialect): Promise<WalkedPanel> {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-routes-"));
  const { url, drop } = await createMigratedDatabase(dialect);
  const environment = readEnvironment({
    SIGNALBOX_DATA_DIR: directory,
    SIGNALBOX_DATABASE_URL: url,
    SIGNALBOX_LISTEN: "127.0.0.1:0",
    SIGNALBOX_SETUP_TOKEN: "setup-token-of-the-test",
  });
  const undo: Undo = [];
  const door = new Door();
  const open = async () => {
    const parts = await openParts({ environment, log: pino({ level: "silent" }), undo, door });
    return (await openSurface(parts)).api;
  };
  const end = async () => {
    for (const step of undo.splice(0).toReversed()) await step("stop");
  };
  let api = await open();
  let cookie = "";
  const send: WalkedPanel["send"] = async (method, path, { as, body, headers } = {}) => {
    const answer = await api.app.inject({
      method,
      url: path,
      headers: {
        ...(as === undefined ? (cookie === "" ? {} : { cookie }) : as === "" ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const [set] = answer.cookies.filter((each) => each.name === "panel_session");
    if (as === undefined && set) cookie = `panel_session=${set.value}`;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: answer.body.startsWith("{") ? answer.json<Record<string, unknown>>() : {},
    };
  };
  const credentials = { username: "root", password: "correct horse" };
  await send("POST", "/api/setup?t=setup-token-of-the-test", {
    body: { ...credentials, settings: { web_tls_mode: "none" } },
  });
  await end();
  api = await open();
  await send("POST", "/api/login", { body: credentials });
  let serial = 0;
  return {
    routes: api.routes,
    send,
    token: async (scopes, role) => {
      const username = `walker${++serial}`;
      const made = role && (await send("POST", "/api/admins", { body: { ...credentials, username, role } }));
      const adminId = made ? Number(made.body["id"]) : 0;
      const { status, body } = await send("POST", "/api/tokens", { body: { adminId, scopes, rateLimit: 1_000_000 } });
      if (status !== 200) throw new Error(`token: ${JSON.stringify(body)}`);
      return String(body["token"]);
    },
    dispose: async () => {
      await end();
      await door.close();
      await drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
