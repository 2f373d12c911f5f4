// Codes from where they are made to where they are read: a notice of a real agent with its own engine, through the
// panel and its database, to the record, `sync`, events and a page's words; then the cause of a node that cannot sync.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineFactories } from "../../src/agent/engines/all.ts";
import { startAgent, type RunningAgent } from "../../src/agent/server.ts";
import { fa } from "../../src/web/words/fa.ts";
import { translateNotices } from "../../src/web/words/translate.ts";
import { dialects } from "../database.ts";
import { quietPorts } from "../quiet-ports.ts";
import { WholePanel } from "../whole-panel.ts";
import { until } from "./panel-side.ts";

const UNSERVED = {
  code: "unserved",
  values: ["embedded", "type vmess", "xray,sing-box,v2ray"],
  kind: "inbound",
  tag: "fast",
};

describe.each(dialects)("codes on %s", (dialect) => {
  let panel: WholePanel;
  let directory: string;
  let agent: RunningAgent;
  let id: number;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    directory = await mkdtemp(join(tmpdir(), "signalbox-codes-"));
    const trustFile = join(directory, "trust.pem");
    await writeFile(trustFile, (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate);
    agent = await startAgent({
      host: "127.0.0.1",
      port: 0,
      dataDirectory: join(directory, "agent"),
      trustFile,
      engine: "embedded",
      privateTargets: "block",
      factories: engineFactories,
      log: pino({ level: "silent" }),
    });
    const [listened = 0, other = 0] = await quietPorts(2);
    const added = await Promise.all([
      made("inbounds", { tag: "plain", type: "socks", config: { listen: "127.0.0.1", listen_port: listened } }),
      made("inbounds", { tag: "fast", type: "vmess", config: { listen: "127.0.0.1", listen_port: other } }),
    ]);
    const template = await made("templates", { name: "t", inboundIds: added.map((inbound) => inbound.id) });
    id = (await made("nodes", { name: "n", address: "127.0.0.1", port: agent.port, templateId: template.id })).id;
    await until(async () => (await node()).status === "connected", 60_000);
  });
  afterAll(async () => {
    await agent.stop();
    await panel.dispose();
    await rm(directory, { recursive: true, force: true });
  });
  const made = async (path: string, body: object) => {
    const answer = await panel.call("POST", `/api/v1/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const node = async () => (await panel.call("GET", `/api/v1/nodes/${id}`)).body;
  const sync = () => panel.call("POST", `/api/v1/nodes/${id}/sync`);
  const raised = (event: string) =>
    until(async () => {
      const { items } = (await panel.call("GET", `/api/v1/events/log?event=${event}`)).body;
      return items.findLast((item: { data: { nodeId: number } }) => item.data.nodeId === id)?.data;
    }, 30_000);

  // rule nodes.warnings.5
  test("an agent's notice is in the record, the answer of sync and the event, and a page says it", async () => {
    const { warnings, notices } = await node();
    expect(notices).toMatchObject([UNSERVED]);
    expect(warnings).toEqual([notices[0].detail]);
    expect(await sync()).toMatchObject({ status: 200, body: { warnings, notices } });
    expect(await raised("node.connected")).toMatchObject({ warnings, notices });
    // In the reader's language, not in the panel's sentence.
    expect(translateNotices(fa.notices)(notices[0])).toBe(
      fa.notices.unserved("embedded", "type vmess", "xray,sing-box,v2ray"),
    );
  });

  // rule nodes.status.10
  test("a node that is off or out of reach says why by its code, in the event and in what it refuses", async () => {
    await panel.call("POST", `/api/v1/nodes/${id}/enabled`, { enabled: true });
    await agent.stop();
    const lost = await raised("node.disconnected");
    expect(lost).toMatchObject({ message: lost.cause.detail, cause: { code: "ended" } });
    const { cause } = await until(async () => {
      const found = await node();
      return found.cause?.code === "connection_refused" && found;
    }, 60_000);
    // The next attempt may run just now.
    const refused = await until(async () => {
      const answer = await sync();
      return answer.body.cause?.code === "connection_refused" && answer;
    }, 60_000);
    expect(refused).toMatchObject({ status: 502, body: { code: "upstream", cause } });
    await panel.call("POST", `/api/v1/nodes/${id}/enabled`, { enabled: false });
    for (const verb of ["sync", "reconnect"])
      expect(await panel.call("POST", `/api/v1/nodes/${id}/${verb}`)).toMatchObject({
        status: 409,
        body: { code: "node_off", cause: { code: "off", values: [] } },
      });
  });
});
