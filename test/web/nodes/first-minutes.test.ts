// What the first minutes make of a new panel: what is sent, what a person runs, and how far a node has come.
import { describe, expect, it } from "vitest";
import { agentCommand } from "../../../src/web/nodes/agent-command.ts";
import { connectSteps } from "../../../src/web/nodes/connect-steps.ts";
import { inboundBody, localNodeBody, templateBody } from "../../../src/web/nodes/start/first-server.ts";
import { InboundCreate } from "../../../src/pool/inbound.schema.ts";
import { parseInboundConfig } from "../../../src/pool/testing.ts";
import { TemplateCreate } from "../../../src/pool/template.schema.ts";
import { NodeCreate } from "../../../src/fleet/nodes/node.schema.ts";

const server = {
  serving: "plain",
  port: 8443,
  site: "example.com",
  clientAddress: "vpn.example.com",
  agentPort: 7444,
} as const;
const keys = { privateKey: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc", shortId: "0123456789abcdef" };

describe("the first server", () => {
  it.each(["plain", "reality"] as const)("is an inbound that the pool takes: %s", (serving) => {
    const { type, tag, config } = InboundCreate.parse(inboundBody({ ...server, serving }, keys));
    expect(parseInboundConfig(type, tag, config)).toMatchObject({ ok: true });
  });

  it("is a template and a node on the panel's own machine", () => {
    expect(TemplateCreate.parse(templateBody("first", 7))).toMatchObject({ inboundIds: [7] });
    const node = NodeCreate.parse(localNodeBody("here", 3, server));
    expect(node).toMatchObject({
      isLocal: true,
      address: "127.0.0.1",
      port: 7444,
      linkAddress: "vpn.example.com",
      templateId: 3,
    });
  });
});

describe("the agent's command", () => {
  it("writes the certificate down and starts the agent on the node's port", () => {
    const lines = agentCommand({
      port: 7443,
      certificate: "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n",
    }).split("\n");
    expect(lines.slice(0, 2)).toEqual(["cat > panel.pem <<'PEM'", "-----BEGIN CERTIFICATE-----"]);
    expect(lines.slice(-2)).toEqual([
      "PEM",
      "node bin/signalbox.mjs agent --listen 0.0.0.0:7443 --data ./agent --trust panel.pem",
    ]);
  });
});

describe("the steps of connecting", () => {
  const states = (seen: Parameters<typeof connectSteps>[0]["case"], met: boolean, message = "") =>
    connectSteps({ case: seen, message }, met).map(({ state }) => state);

  it("follow the chart", () => {
    expect(states("dialing", false)).toEqual(["current", "ahead", "ahead"]);
    expect(states("syncing", true)).toEqual(["done", "current", "ahead"]);
    expect(states("connected", true)).toEqual(["done", "done", "done"]);
  });

  it("fail only where the agent was there before", () => {
    expect(states("backoff", false)).toEqual(["current", "ahead", "ahead"]);
    expect(states("backoff", true)).toEqual(["failed", "ahead", "ahead"]);
    expect(states("backoff", true, "the agent did not take the configuration in time")).toEqual([
      "done",
      "failed",
      "ahead",
    ]);
    expect(states("mismatched", false)).toEqual(["failed", "ahead", "ahead"]);
  });
});
