// An agent that is killed while its disk refuses: the engine lives on, and nothing of what it counts is lost.
import { describe, expect, test } from "vitest";
import type { EngineKind } from "../../src/protocol/messages.ts";
import { startOrigin } from "../e2e/origin.ts";
import { AgentProgram } from "./agent-program.ts";
import { processEnginesHere } from "./engines-here.ts";
import { freePort } from "./free-port.ts";
import { HttpDownload, httpPlan, realUser } from "./http-user.ts";
import { dial, makePanelIdentity, UsageBook } from "./panel.ts";
import type { PanelLink } from "./panel.ts";
import { diskOfTest, disksHere, trustFileOfTest } from "./refusing-disk.ts";
import type { DiskKind } from "./refusing-disk.ts";

const disks = disksHere();
const trials = (await processEnginesHere()).flatMap((engine) =>
  disks.map((kind): [EngineKind, DiskKind] => [engine, kind]),
);

const warnings = async ({ peer }: PanelLink): Promise<readonly string[]> =>
  (await peer.call("state.report", {})).warnings;

describe.each(trials)("the process engine %s on a %s disk", (engine, kind) => {
  test("killed with its ledger unwritten, the agent starts again there and loses nothing", async () => {
    const own = diskOfTest(kind);
    const panel = await makePanelIdentity("panel");
    const trust = trustFileOfTest(panel.trust);
    const start = (): Promise<AgentProgram> =>
      AgentProgram.start({ directory: own.directory, engine, argv: ["--private-targets", "allow", "--trust", trust] });
    const origin = await startOrigin();
    const book = new UsageBook();
    const user = realUser(1);
    const port = await freePort();
    const first = await start();
    const link = await dial(first.port, panel.client, book);
    await link.hello(1);
    await link.peer.call("state.apply", httpPlan(port, [user]));
    own.refuse();
    const download = new HttpDownload(port, user, origin.port, "/bytes/3000000?rate=1500000");
    if (kind === "read-only")
      await expect.poll(() => warnings(link)).toContainEqual(expect.stringContaining("refuses the usage ledger"));
    else await expect.poll(() => download.received).toBeGreaterThan(1_000_000);
    await first.program.end("SIGKILL");
    expect(await download.finished).toBe(3_000_000);
    if (kind === "read-only") own.accept();
    const second = await start();
    const again = await dial(second.port, panel.client, book);
    await again.hello(1);
    own.accept();
    await expect.poll(() => book.down).toBeGreaterThanOrEqual(3_000_000);
    await again.peer.call("state.report", {});
    expect(await second.stop()).toMatchObject({ code: 0 });
    expect(book.down).toBeLessThan(3_000_000 * 1.02);
    await origin.close();
  });
});
