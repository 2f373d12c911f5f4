// A trusted panel's messages are bounded as well: what is too large or wrong ends that connection, and the agent serves
// on.
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_MESSAGE_BYTES } from "../../src/protocol/messages.ts";
import { agentFixture, type AgentFixture } from "./fixture.ts";
import { dial, makePanelIdentity } from "./panel.ts";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

// rule agents.message.2
test("a message beyond 16 MiB ends the connection, before the greeting and after", async () => {
  const { port } = await fixture.start();
  for (const greeted of [false, true]) {
    const link = await dial(port, fixture.panel.client);
    if (greeted) await link.hello(1);
    const closed = once(link.socket, "close") as Promise<[number]>;
    link.socket.send(Buffer.alloc(MAX_MESSAGE_BYTES + 1, 0x20));
    expect((await closed)[0]).toBe(1009);
  }
  expect(await (await dial(port, fixture.panel.client)).hello(2)).toMatchObject({ protocol: 1 });
});

test("150,000 wrong users are answered in a few hundred bytes, and change nothing", async () => {
  const { port } = await fixture.start();
  const link = await dial(port, fixture.panel.client);
  const { applied } = await link.hello(1);
  const answer = once(link.socket, "message") as Promise<[Buffer]>;
  const put = Array.from({ length: 150_000 }, () => ({ id: -1 }));
  link.socket.send(
    JSON.stringify({ jsonrpc: "2.0", id: "x", method: "state.apply", params: { revision: 1, users: { put } } }),
  );
  const said = (await answer)[0];
  expect(said.length).toBeLessThan(500);
  expect((await link.peer.call("state.report", {})).applied).toEqual(applied);
});

test("whoever is not trusted hears nothing, whatever it says first", async () => {
  const { port } = await fixture.start();
  const stranger = await makePanelIdentity("stranger");
  for (const client of [undefined, stranger.client, stranger.selfSigned])
    await expect(dial(port, client)).rejects.toThrow();
});
