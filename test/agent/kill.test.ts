// SIGKILL at any instant: what the panel has acknowledged in the end is exactly what the engine counted.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { usedBy, USERS } from "./killed-agent.ts";
import { dial, makePanelIdentity, UsageBook } from "./panel.ts";
import type { PanelLink } from "./panel.ts";

const KILLS = 20;

// rules agents.ledger.3, usage.count.8
test("killed twenty times, with acknowledgements lost on the way, the sums are exact", async () => {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-kill-"));
  const panel = await makePanelIdentity("panel");
  const trustFile = join(directory, "trust.pem");
  await writeFile(trustFile, panel.trust);
  const book = new UsageBook();
  const begin = Date.now();
  let end = begin + 3_600_000;
  const start = async (): Promise<{ child: ChildProcess; link: PanelLink }> => {
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("killed-agent.ts", import.meta.url)),
        join(directory, "data"),
        trustFile,
        String(begin),
        String(end),
      ],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    if (child.stdout === null) throw new Error("no output");
    const lines = createInterface({ input: child.stdout });
    const [port] = (await once(lines, "line")) as [string];
    const link = await dial(Number(port), panel.client, book);
    const hello = await link.hello(1);
    // Nothing that the panel was sent may be forgotten, and the ledger stays the same one.
    if (book.bootId !== "") expect(hello.ledger.bootId).toBe(book.bootId);
    expect(hello.ledger.acknowledged).toBeLessThanOrEqual(book.cursor);
    return { child, link };
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Every third panel takes batches but never answers: they come again from the next agent, unchanged.
    book.answering = kill % 3 !== 2;
    const { child, link } = await start();
    // The instant of the kill is the point of this test: anywhere in the first 60 ms of reading, writing and sending.
    await pause(Math.random() * 60);
    child.kill("SIGKILL");
    await Promise.all([once(child, "exit"), link.peer.closed]);
  }
  book.answering = true;
  end = Date.now();
  const { child, link } = await start();
  const sum = Array.from({ length: USERS }, (_, index) => usedBy(index + 1, begin, end, end)).reduce(
    (total, { up, down }) => total + up + down,
    0,
  );
  await expect.poll(() => book.up + book.down).toBe(sum);
  for (let user = 1; user <= USERS; user += 1) {
    const { up, down } = usedBy(user, begin, end, end);
    expect(book.totals.get(user)).toBe(up + down);
  }
  expect(book.cursor).toBeGreaterThan(KILLS / 2);
  child.kill("SIGTERM");
  await Promise.all([once(child, "exit"), link.peer.closed]);
  expect(child.exitCode).toBe(0);
  await rm(directory, { recursive: true, force: true });
});
