// The agent's door: who gets in, and that its key stays the same.
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { get } from "node:https";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fingerprintOf } from "../../src/agent/identity.ts";
import { createPublicKey } from "node:crypto";
import { agentFixture } from "./fixture.ts";
import type { AgentFixture } from "./fixture.ts";
import { dial, makePanelIdentity } from "./panel.ts";
import { hasPrograms } from "../programs.ts";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

// rule agents.door.1
test("the panel's client certificate gets in, no certificate and another CA's do not", async () => {
  const { port } = await fixture.start();
  const link = await dial(port, fixture.panel.client);
  expect(await link.hello(1)).toMatchObject({ protocol: 1, agentVersion: "0.1.0", engine: { kind: "embedded" } });
  await expect(dial(port, undefined)).rejects.toThrow();
  await expect(dial(port, (await makePanelIdentity("stranger")).client)).rejects.toThrow();
});

const HOUR = 3_600_000;
const YEAR = 8760 * HOUR;

// rule agents.door.5
test.each([
  ["two hours behind", 2 * HOUR, YEAR],
  ["years behind", 3 * YEAR, 4 * YEAR],
  ["years ahead", -3 * YEAR, -2 * YEAR],
])("a clock that is %s keeps the trusted key out no more than it lets another in", async (_, from, to) => {
  const { port } = await fixture.start();
  const dates = { from: Date.now() + from, to: Date.now() + to };
  const [panel, stranger] = [await makePanelIdentity("panel", dates), await makePanelIdentity("panel", dates)];
  for (const [trusted, caller] of [
    [panel.trust, panel.client],
    [panel.selfSigned.cert, panel.selfSigned],
  ] as const) {
    await writeFile(fixture.trustFile, trusted);
    const link = await dial(port, caller);
    expect((await link.hello(1)).protocol).toBe(1);
    await link.close();
    // These have the same name and the same dates, but another key. Further down: a trusted key that is for something
    // else.
    await expect(dial(port, stranger.client)).rejects.toThrow();
    await expect(dial(port, stranger.selfSigned)).rejects.toThrow();
    await expect(dial(port, undefined)).rejects.toThrow();
  }
  const server = await makePanelIdentity("panel", { ...dates, usage: "1.3.6.1.5.5.7.3.1" });
  await writeFile(fixture.trustFile, server.trust);
  await expect(dial(port, server.client)).rejects.toThrow();
  // What a client's certificate has signed is not the client.
  await writeFile(fixture.trustFile, panel.selfSigned.cert);
  await expect(dial(port, panel.client)).rejects.toThrow();
});

// rule agents.door.2
test("a self-signed client certificate may be the trust file itself, and a changed trust file counts at once", async () => {
  const { port } = await fixture.start();
  const next = await makePanelIdentity("next");
  await writeFile(fixture.trustFile, next.selfSigned.cert);
  const link = await dial(port, next.selfSigned);
  expect((await link.hello(1)).protocol).toBe(1);
  await expect(dial(port, fixture.panel.client)).rejects.toThrow();
});

// rule agents.door.2
test("an unusable trust file keeps the certificates read before", async () => {
  const { port } = await fixture.start();
  await writeFile(fixture.trustFile, "nothing");
  expect((await (await dial(port, fixture.panel.client)).hello(1)).protocol).toBe(1);
});

// rules agents.door.1, agents.door.3
test("the key is kept: private, and the same after a restart", async () => {
  const first = await fixture.start();
  await first.stop();
  const second = await fixture.start();
  expect(second.fingerprint).toBe(first.fingerprint);
  expect((await stat(join(fixture.directory, "data", "agent.key"))).mode & 0o777).toBe(0o600);
  const socket = connect({ port: second.port, host: "127.0.0.1", rejectUnauthorized: false, ...fixture.panel.client });
  await once(socket, "secureConnect");
  const certificate = socket.getPeerX509Certificate();
  expect(
    certificate && fingerprintOf(createPublicKey(certificate.publicKey.export({ type: "spki", format: "pem" }))),
  ).toBe(second.fingerprint);
  expect(socket.getProtocol()).toBe("TLSv1.3");
  socket.destroy();
});

test("anything but the WebSocket path is a 404", async () => {
  const { port } = await fixture.start();
  const request = get({
    port,
    host: "127.0.0.1",
    path: "/",
    rejectUnauthorized: false,
    agent: false,
    ...fixture.panel.client,
  });
  const [response] = (await once(request, "response")) as [{ statusCode: number; resume(): void }];
  response.resume();
  expect(response.statusCode).toBe(404);
});

// rule agents.door.4
test.skipIf(!hasPrograms("agents that lock their directory", "flock"))(
  "a second agent on the same data directory is refused with a sentence",
  async () => {
    const first = await fixture.start();
    await expect(fixture.start()).rejects.toThrow(/another agent runs on the data directory/);
    await first.stop();
    await (
      await fixture.start()
    ).ready;
  },
);
