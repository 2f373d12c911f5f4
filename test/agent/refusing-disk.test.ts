// A disk that is full, and one that became read-only, under an agent with traffic: it serves on, says so, takes
// changes, mends itself, and counts every byte once.
import { describe, expect, onTestFailed, test } from "vitest";
import type { EngineKind } from "../../src/protocol/messages.ts";
import { startOrigin } from "../e2e/origin.ts";
import { processesOf } from "../e2e/processes.ts";
import { AgentProgram } from "./agent-program.ts";
import { enginesHere } from "./engines-here.ts";
import { freePort } from "./free-port.ts";
import { HttpDownload, httpPlan, realUser } from "./http-user.ts";
import { dial, makePanelIdentity, UsageBook } from "./panel.ts";
import type { PanelLink } from "./panel.ts";
import { diskOfTest, disksHere, trustFileOfTest } from "./refusing-disk.ts";
import type { DiskKind } from "./refusing-disk.ts";

const disks = disksHere();
const trials = (await enginesHere()).flatMap((engine) => disks.map((kind): [EngineKind, DiskKind] => [engine, kind]));

const warnings = async ({ peer }: PanelLink): Promise<readonly string[]> =>
  (await peer.call("state.report", {})).warnings;

describe.each(trials)("the engine %s on a %s disk", (engine, kind) => {
  // rule agents.ledger.4
  test("serves on, takes changes, says what is wrong, and counts every byte once when the disk is well again", async () => {
    const own = diskOfTest(kind);
    const panel = await makePanelIdentity("panel");
    const trust = trustFileOfTest(panel.trust);
    const start = (): Promise<AgentProgram> =>
      AgentProgram.start({ directory: own.directory, engine, argv: ["--private-targets", "allow", "--trust", trust] });
    const origin = await startOrigin();
    const book = new UsageBook();
    const users = [realUser(1), realUser(2), realUser(3)] as const;
    const port = await freePort();
    const agent = await start();
    onTestFailed(() => console.error(agent.program.output.slice(-4000)));
    const link = await dial(agent.port, panel.client, book);
    await link.hello(1);
    await link.peer.call("state.apply", httpPlan(port, users.slice(0, 2)));
    const get = (user: (typeof users)[number], bytes: number): Promise<number> =>
      new HttpDownload(port, user, origin.port, `/bytes/${bytes}`).finished;

    const running = new HttpDownload(port, users[0], origin.port, "/bytes/4000000?rate=1500000");
    await expect.poll(() => running.received).toBeGreaterThan(100_000);
    own.refuse();
    // A panel process that took the node over is let in; a user comes, another goes.
    const next = await dial(agent.port, panel.client, book);
    expect((await next.hello(2)).warnings).toContainEqual(expect.stringContaining("the node's disk refuses the fence"));
    expect(
      (await next.peer.call("state.apply", { revision: 2, users: { put: [users[2]], drop: [2] } })).applied.revision,
    ).toBe(2);
    expect(await get(users[2], 300_000)).toBe(300_000);
    expect(await get(users[1], 300_000)).toBe(0);
    // On a full disk the last page of the ledger may take a few more records.
    if (kind === "read-only")
      await expect.poll(() => warnings(next)).toContainEqual(expect.stringContaining("refuses the usage ledger"));
    expect(await running.finished).toBe(4_000_000);

    own.accept();
    await expect.poll(async () => (await warnings(next)).filter((text) => text.includes("disk"))).toEqual([]);
    await expect.poll(() => book.down).toBeGreaterThanOrEqual(4_300_000);
    expect(await agent.stop()).toMatchObject({ code: 0 });
    const again = await start();
    const last = await dial(again.port, panel.client, book);
    await last.hello(3);
    expect((await last.peer.call("state.report", {})).applied.revision).toBe(2);
    await expect.poll(() => get(users[2], 1000)).toBe(1000);
    expect(await get(users[1], 1000)).toBe(0);
    expect(book.down).toBeLessThan(4_300_000 * 1.02);
    expect(await again.stop()).toMatchObject({ code: 0 });
    expect(processesOf(own.directory)).toEqual([]);
    await origin.close();
  });
});
