// An agent's address belongs to one node that is switched on: every route refuses a second one, also when two ask at
// once on two panels; what an older version stored twice stays and can be edited. On both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lock } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { NodeAddressRows } from "../../src/fleet/records/node-address.entity.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

let serial = 0;
/** Nothing answers there, and every test has its own. */
const freshPort = () => 20_000 + ++serial;

describe.each(dialects)("addresses of nodes on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());
  const post = (body: object) => panel.call("POST", "/api/v1/nodes", { name: `n${++serial}`, enabled: true, ...body });
  const made = async (body: object): Promise<number> => {
    const { status, body: node, text } = await post(body);
    expect(status, text).toBe(200);
    return node.id;
  };
  const put = (id: number, body: object) => panel.call("PUT", `/api/v1/nodes/${id}`, body);
  const enable = (id: number, enabled: boolean) => panel.call("POST", `/api/v1/nodes/${id}/enabled`, { enabled });
  const refused = {
    status: 400,
    body: { code: "duplicate", field: "address", issues: [{ path: "address" }, { path: "port" }] },
  };

  // rule nodes.address.1
  test("a second node at the address of one that is switched on is 400, on or off, and by every route", async () => {
    const port = freshPort();
    await made({ name: "the first", address: "10.0.0.1", port });
    const answer = await post({ address: "10.0.0.1", port });
    expect(answer).toMatchObject(refused);
    expect(answer.body.error).toContain("the first");
    expect(await post({ address: "10.0.0.1", port, enabled: false })).toMatchObject(refused);
    const other = await made({ address: "10.0.0.2", port, enabled: false });
    expect(await put(other, { address: "10.0.0.1" })).toMatchObject(refused);
    expect(await put(other, { address: "10.0.0.1", enabled: true })).toMatchObject(refused);
    expect(await panel.call("POST", `/api/v1/nodes/${other}/move`, { address: "10.0.0.1" })).toMatchObject(refused);
    expect((await enable(other, true)).status).toBe(200);
    expect(await panel.call("POST", `/api/v1/nodes/${other}/move`, { address: "10.0.0.1" })).toMatchObject(refused);
    expect((await panel.call("POST", `/api/v1/nodes/${other}/move`, { address: "10.0.0.3" })).status).toBe(200);
    // What was left is free, what was taken is taken.
    await made({ address: "10.0.0.2", port });
    expect(await post({ address: "10.0.0.3", port })).toMatchObject(refused);
  });

  // rule nodes.address.2
  test("all spellings of a place are one, another port or host is another", async () => {
    const port = freshPort();
    for (const [first, spellings, others] of [
      ["agent.example.org", ["AGENT.example.ORG", "agent.example.org.", "Agent.Example.org."], ["agent2.example.org"]],
      ["bücher.example", ["BÜCHER.example", "xn--bcher-kva.example"], ["bucher.example"]],
      ["192.0.2.7", ["::ffff:192.0.2.7", "::FFFF:c000:207", "192.0.519", "192.0.2.7."], ["::192.0.2.7", "192.0.2.70"]],
      ["2001:db8::1", ["2001:DB8:0:0:0:0:0:1", "2001:0db8::0001"], ["2001:db8::10"]],
    ] as const) {
      await made({ address: first, port });
      for (const address of spellings) expect(await post({ address, port }), address).toMatchObject(refused);
      for (const address of others) await made({ address, port });
      await made({ address: first, port: freshPort() });
    }
  });

  // rule nodes.address.1
  test("while a node is off its address is free; switching it on beside another is 409", async () => {
    const port = freshPort();
    const [one, two] = [
      await made({ address: "10.1.0.1", port, enabled: false }),
      await made({ address: "10.1.0.1", port, enabled: false }),
    ];
    expect((await enable(one, true)).status).toBe(200);
    for (const refusal of [await enable(two, true), await put(two, { enabled: true })]) {
      expect(refusal).toMatchObject({ status: 409, body: { code: "agent_taken", field: "enabled" } });
    }
    expect((await put(two, { remark: "waits", address: "10.1.0.1", port })).status).toBe(200);
    expect((await enable(one, true)).status).toBe(200);
    expect((await enable(one, false)).status).toBe(200);
    expect((await enable(two, true)).status).toBe(200);
    expect((await panel.call("DELETE", `/api/v1/nodes/${two}`)).status).toBe(200);
    expect((await enable(one, true)).status).toBe(200);
  });

  // rule nodes.address.3
  test("of several that ask at once one gets it", async () => {
    const port = freshPort();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ address: "10.2.0.1", port })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
  });

  // rule nodes.address.4
  test("what an older version stored twice stays, can be edited, and is entered at the next start", async () => {
    const port = freshPort();
    const [one, two] = [await made({ address: "10.3.0.1", port }), await made({ address: "10.3.0.2", port })];
    await panel.stop();
    const database = await connectTestDatabase(panel.databaseUrl, entities);
    await database.commits.submit({
      name: "as an older version",
      locks: [lock(NodeRows, two)],
      decide(draft) {
        draft.update(NodeRows, two, { address: "10.3.0.1" });
        draft.delete(NodeAddressRows, `10.3.0.1 ${port}`);
        draft.delete(NodeAddressRows, `10.3.0.2 ${port}`);
      },
    });
    await database.close();
    await panel.start();
    for (const id of [one, two]) {
      expect((await put(id, { remark: "edited" })).body).toMatchObject({
        address: "10.3.0.1",
        port,
        enabled: true,
        remark: "edited",
      });
    }
    expect(await post({ address: "10.3.0.1", port })).toMatchObject(refused);
    // With one of them gone the other still has it.
    await panel.call("DELETE", `/api/v1/nodes/${one}`);
    expect(await post({ address: "10.3.0.1", port })).toMatchObject(refused);
    await made({ address: "10.3.0.2", port });
    expect((await enable(two, false)).status).toBe(200);
    await made({ address: "10.3.0.1", port });
  });

  // rule nodes.address.3
  if (dialect === "postgresql")
    test("two panels that are asked at once give it to one node", async () => {
      const neighbour = await panel.neighbour();
      try {
        for (let round = 0; round < 5; round++) {
          const port = freshPort();
          const body = (name: string) => ({ name, address: "10.4.0.1", port });
          const answers = await Promise.all(
            [panel, neighbour, panel, neighbour].map((each, index) =>
              each.call("POST", "/api/v1/nodes", body(`r${round} ${index}`)),
            ),
          );
          expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
          const off = await Promise.all([1, 2].map(() => made({ address: "10.4.0.2", port, enabled: false })));
          const on = await Promise.all(
            off.map((id, index) =>
              (index === 0 ? panel : neighbour).call("POST", `/api/v1/nodes/${id}/enabled`, { enabled: true }),
            ),
          );
          expect(on.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
        }
      } finally {
        await neighbour.dispose();
      }
    });
});
