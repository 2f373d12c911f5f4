// A database of the first released schema that holds configuration which could reach a host: the panel starts and names
// it, nodes go on without it, and it can be mended.
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lock } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { InboundRows, OutboundRows, TemplateRows } from "../../src/pool/index.ts";
import { connectTestDatabase } from "../database.ts";
import { copyMigrations, migrateWith } from "../migrations/fixture.ts";
import { quietPorts } from "../quiet-ports.ts";
import { startPanel, type E2ePanel, type LocalNode } from "./panel.ts";

const FIRST_SCHEMA = "Migration20261122115430_initial.ts";
const MARKER = "/nowhere/marker";

let panel: E2ePanel;
let node: LocalNode;
let bad: number;
let tor: number;
let elsewhere: number;
let agent: number;

/** Makes the released schema and nothing of what came later. */
async function firstSchema(url: string): Promise<void> {
  const folder = copyMigrations("sqlite");
  for (const file of readdirSync(folder.path))
    if (file.endsWith(".ts") && file !== FIRST_SCHEMA) rmSync(join(folder.path, file));
  expect(await migrateWith(url, folder.path)).toHaveLength(1);
  folder.remove();
}

/** Writes past the panel what it took until now. */
async function storeForbidden(): Promise<void> {
  const database = await connectTestDatabase(panel.databaseUrl, entities);
  await database.commits.submit({
    name: "older version",
    locks: [
      lock(InboundRows, bad),
      lock(OutboundRows, tor),
      lock(TemplateRows, node.templateId),
      lock(NodeRows, elsewhere),
    ],
    decide(draft) {
      const files = { enabled: true, certificate_path: MARKER, key_path: MARKER };
      draft.update(InboundRows, bad, { config: { ...draft.find(InboundRows, bad)?.config, tls: files } });
      draft.update(OutboundRows, tor, { type: "tor", config: { executable_path: MARKER, extra_args: ["-x"] } });
      draft.update(TemplateRows, node.templateId, {
        route: {
          rules: [
            { process_path: MARKER, outbound: "out" },
            { domain: "kept.test", outbound: "out" },
          ],
          final: "out",
        },
        core: { log: { output: MARKER, level: "warn" } },
      });
      draft.update(NodeRows, elsewhere, { routing: { default_interface: MARKER } });
    },
  });
  await database.close();
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

/** Everything that the agent keeps in files. */
function kept(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

const get = (path: string) => panel.api.ok("GET", path);
const warnings = async () => (await panel.api.node(node.id)).warnings;

beforeAll(async () => {
  panel = await startPanel({ prepare: firstSchema, variables: { SIGNALBOX_PRIVATE_TARGETS: "block" } });
  node = await panel.makeLocalNode();
  const [port = 0] = await quietPorts(1);
  bad = await panel.api.make("inbounds", {
    tag: "bad",
    type: "vless",
    config: { listen: "127.0.0.1", listen_port: port },
  });
  tor = await panel.api.make("outbounds", { tag: "onion", type: "direct" });
  const out = await panel.api.make("outbounds", { tag: "out", type: "direct" });
  elsewhere = await panel.api.make("nodes", { name: "elsewhere", address: "127.0.0.1", port: 1, enabled: false });
  await panel.api.ok("PUT", `/templates/${node.templateId}`, {
    inboundIds: [node.inboundId, bad],
    outboundIds: [out, tor],
  });
  await panel.serves(node.id);
  agent = panel.agentPid(node.id);
  await panel.kill();
  await storeForbidden();
  await panel.start();
  await panel.serves(node.id);
});
afterAll(() => panel?.dispose());

// rule pool.fragment.5
test("the start names what is stored", () => {
  const fields = [
    "config.tls.certificate_path, config.tls.key_path",
    "outbound onion: type",
    "route.rules.0.process_path, core.log.output",
  ];
  for (const field of [...fields, "node elsewhere: routing.default_interface"]) expect(panel.output).toContain(field);
});

// rule pool.fragment.5
test("each record says what of it is forbidden", async () => {
  const fields = ["config.tls.certificate_path", "config.tls.key_path"];
  expect(await get(`/inbounds/${bad}`)).toMatchObject({ forbidden: fields, refused: fields });
  expect(await get(`/inbounds/${node.inboundId}`)).toMatchObject({ forbidden: [] });
  expect(await get(`/outbounds/${tor}`)).toMatchObject({ forbidden: ["type"] });
  expect(await get(`/templates/${node.templateId}`)).toMatchObject({
    forbidden: ["route.rules.0.process_path", "core.log.output"],
  });
  expect(await get(`/nodes/${elsewhere}`)).toMatchObject({ forbidden: ["routing.default_interface"] });
});

// rule pool.fragment.5
test("the running agent serves the rest, and its node says what is left out", async () => {
  await expect
    .poll(warnings, { interval: 50 })
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^inbound bad: `tls\.certificate_path`, `tls\.key_path` .*left out$/),
        expect.stringMatching(/^outbound onion: `type` .*left out$/),
        expect.stringMatching(/^route: `rules\.0\.process_path` .*left out$/),
        expect.stringMatching(/^core: `log\.output` .*left out$/),
      ]),
    );
  expect(panel.agentPid(node.id)).toBe(agent);
  expect(await answers(node.inboundPort)).toBe(true);
  const files = kept(join(panel.directory, "agents", String(node.id)));
  expect(files).toContain("kept.test");
  expect(files).not.toContain(MARKER);
});

// rule pool.fragment.5
test("other fields stay editable, a key that is forbidden is not", async () => {
  await panel.api.ok("PUT", `/inbounds/${bad}`, { remark: "r", tag: "worse" });
  await panel.api.ok("PUT", `/outbounds/${tor}`, { remark: "r" });
  await panel.api.ok("PUT", `/templates/${node.templateId}`, { remark: "r" });
  await panel.api.ok("PUT", `/nodes/${elsewhere}`, { remark: "r" });
  const again = await panel.api.request("PUT", `/api/v1/inbounds/${bad}`, {
    config: { listen_port: 1, tls: { enabled: true, key_path: MARKER } },
  });
  expect(again).toMatchObject({ status: 400, body: { code: "forbidden_key", field: "config.tls.key_path" } });
  const routing = await panel.api.request("PUT", `/api/v1/nodes/${elsewhere}`, { routing: { default_mark: 1 } });
  expect(routing).toMatchObject({ status: 400, body: { code: "forbidden_key", field: "routing.default_mark" } });
});

test("clean configuration mends it", async () => {
  const [port = 0] = await quietPorts(1);
  const mended = await panel.api.ok("PUT", `/inbounds/${bad}`, { config: { listen: "127.0.0.1", listen_port: port } });
  expect(mended).toMatchObject({ forbidden: [] });
  await panel.api.ok("PUT", `/outbounds/${tor}`, { type: "block", config: {} });
  await panel.api.ok("PUT", `/templates/${node.templateId}`, { route: { final: "out" }, core: null });
  await panel.api.ok("PUT", `/nodes/${elsewhere}`, { routing: null });
  await expect.poll(warnings, { interval: 50 }).toEqual([]);
  await expect.poll(() => answers(port), { interval: 50 }).toBe(true);
  await panel.kill();
  await panel.start();
  expect(panel.output).not.toContain("leave it out until");
});
