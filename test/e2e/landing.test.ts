// The last landing beside today's version: today's panel with its agent, and its panel with today's agent on a schema
// that today's version migrated. Whichever side is older, users are served, counted and cut off.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { migrationsFolder } from "../../src/db/orm.ts";
import type { agentMethods, panelMethods } from "../../src/protocol/messages.ts";
import { AgentProgram } from "../agent/agent-program.ts";
import { HttpDownload } from "../agent/http-user.ts";
import { createMigratedDatabase, dialects } from "../database.ts";
import { newestLanding, programOf } from "../landings/landing.ts";
import { migratedSince } from "../landings/since.ts";
import { quietPorts } from "../quiet-ports.ts";
import type { Api, UserAnswer } from "./api.ts";
import { startPanel, type E2ePanel } from "./panel.ts";
import { Program } from "./processes.ts";

const MB = 1_000_000;
/** A download of so many bytes at this pace (bytes a second) is still running when a test has looked at it. */
const SLOW_BYTES = 20 * MB;
const PACE = 200_000;
const landing = newestLanding();
const main = programOf(landing);
const { additive, names } = await migratedSince(landing, migrationsFolder("sqlite"));
const Trust = z.object({ certificate: z.string() });

let directory: string;
let panel: E2ePanel | undefined;
let agent: AgentProgram | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-landing-"));
});
afterEach(async () => {
  if (agent?.program.running) await agent.program.end("SIGKILL");
  await panel?.dispose();
  agent = undefined;
  panel = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** A node with one inbound on the embedded engine, and two users. */
interface Serving {
  readonly api: Api;
  readonly node: number;
  readonly ann: UserAnswer;
  readonly bob: UserAnswer;
  /** Bytes that a download of a megabyte got. */
  download(user: UserAnswer): Promise<number>;
  /** A download that goes on until it is cut. */
  begin(user: UserAnswer): HttpDownload;
}

type Message = keyof typeof panelMethods | keyof typeof agentMethods;

const Connections = z.object({ supported: z.boolean(), total: z.number() });
const Closed = z.object({ results: z.array(z.object({ closed: z.number() })) });
const Addresses = z.array(z.object({ address: z.string() }));
const Heard = z.object({ heardAt: z.number() });

/** What each message does, as an operator and users see it, in this order. A new message does not compile without. */
const SEEN: Readonly<Record<Message, (serving: Serving) => Promise<void>>> = {
  hello: async ({ api, node }) => {
    expect(await api.node(node)).toMatchObject({ status: "connected" });
  },
  "state.apply": async ({ download, ann }) => {
    await expect.poll(() => download(ann)).toBe(MB);
  },
  usage: async ({ api, ann }) => {
    await expect.poll(() => api.used(ann.id)).toBeGreaterThanOrEqual(MB);
  },
  "sessions.list": async ({ api, begin, bob, node }) => {
    const running = begin(bob);
    const open = () =>
      api.ok("GET", `/users/${bob.id}/connections/${node}`).then((answer) => Connections.parse(answer));
    await expect.poll(open).toMatchObject({ supported: true, total: 1 });
    const close = await api.ok("POST", `/users/${bob.id}/connections/close`, { nodeId: node });
    expect(Closed.parse(close).results).toEqual([expect.objectContaining({ closed: 1 })]);
    expect(await running.finished).toBeLessThan(SLOW_BYTES);
  },
  "sessions.close": async ({ api, begin, ann, node }) => {
    const running = begin(ann);
    await expect.poll(() => running.received).toBeGreaterThan(0);
    const close = await api.ok("POST", `/users/${ann.id}/connections/close`, { nodeId: node, inbound: "in" });
    expect(Closed.parse(close).results).toEqual([expect.objectContaining({ closed: 1 })]);
    expect(await running.finished).toBeLessThan(SLOW_BYTES);
  },
  "addresses.list": async ({ api, ann }) => {
    const seen = Addresses.parse(await api.ok("GET", `/users/${ann.id}/addresses`));
    expect(seen).toEqual([expect.objectContaining({ address: "127.0.0.1" })]);
  },
  // Whichever side does not know it goes on without it.
  "rules.set": async ({ api, download, bob, node }) => {
    await api.ok("PUT", "/settings/ip_limit_newest", { value: "true" });
    await expect.poll(() => download(bob)).toBe(MB);
    expect(await api.node(node)).toMatchObject({ status: "connected" });
  },
  "state.digests": async ({ api, node }) => {
    expect(await api.ok("POST", `/nodes/${node}/sync`)).toMatchObject({ applied: true });
  },
  "state.report": async ({ api, ann, bob, download }) => {
    await api.ok("PATCH", `/users/${ann.id}`, { enable: false });
    await expect.poll(() => download(ann)).toBe(0);
    expect(await download(bob)).toBe(MB);
  },
  heartbeat: async ({ api, node }) => {
    const before = Heard.parse(await api.ok("GET", `/nodes/${node}`)).heardAt;
    await expect.poll(async () => Heard.parse(await api.ok("GET", `/nodes/${node}`)).heardAt).toBeGreaterThan(before);
  },
  "engine.stop": async ({ api, node, bob, download }) => {
    await api.ok("POST", `/nodes/${node}/enabled`, { enabled: false });
    await expect.poll(() => download(bob)).toBe(0);
    await expect.poll(() => api.used(bob.id)).toBeGreaterThanOrEqual(MB);
  },
};

/** Everything that an operator sees of a node with one inbound and users who come and go. */
async function serves(own: E2ePanel, mainOfAgent: { readonly main?: string }): Promise<void> {
  const { api } = own;
  writeFileSync(join(directory, "trust.pem"), Trust.parse(await api.ok("GET", "/nodes/install/trust")).certificate);
  const argv = ["--private-targets", "allow"];
  agent = await AgentProgram.start({ directory, engine: "embedded", argv, ...mainOfAgent });
  const [port = 0] = await quietPorts(1);
  const config = { listen: "127.0.0.1", listen_port: port };
  const inboundIds = [await api.make("inbounds", { tag: "in", type: "http", config })];
  const templateId = await api.make("templates", { name: "template", inboundIds });
  const node = await api.make("nodes", { name: "node", address: "127.0.0.1", port: agent.port, templateId });
  const [ann, bob] = [await own.makeUser("ann"), await own.makeUser("bob")];
  await own.serves(node);
  const get = (user: UserAnswer, path: string) =>
    new HttpDownload(port, { ...user, ...user.config } as never, own.originPort, path);
  const serving: Serving = {
    api,
    node,
    ann,
    bob,
    download: (user) => get(user, `/bytes/${MB}`).finished,
    begin: (user) => get(user, `/bytes/${SLOW_BYTES}?rate=${PACE}`),
  };
  for (const see of Object.values(SEEN)) await see(serving);
  expect((await agent.stop()).code).toBe(0);
  expect(await own.stop()).toEqual({ code: 0, signal: null });
}

test("today's panel with the landing's agent", async () => {
  panel = await startPanel({ engine: "none" });
  await serves(panel, { main });
});

describe.each(dialects)("on %s", (dialect) => {
  // What this version only added keeps nobody out; what it changed does, with a sentence.
  if (additive)
    test("the landing's panel on today's schema, with today's agent", async () => {
      panel = await startPanel({ engine: "none", dialect, main });
      await serves(panel, {});
      if (names.length > 0) expect(panel.output).toContain("newer than this panel, which may run on it");
    });
  else
    test("the landing's panel is refused on today's schema", async () => {
      const { url, drop } = await createMigratedDatabase(dialect);
      try {
        const env = { SIGNALBOX_DATA_DIR: directory, SIGNALBOX_DATABASE_URL: url, SIGNALBOX_LISTEN: "127.0.0.1:0" };
        const program = new Program({ command: process.execPath, args: [main, "serve"], env });
        expect(await program.exited).toEqual({ code: 1, signal: null });
        expect(program.output).toMatch(/written by a newer version of Signalbox .* takes panels from Migration\w+ on/);
      } finally {
        await drop();
      }
    });
});
