// The map outlives its agent: the next one finds it working, takes it over in one step, and only a clean end takes it
// away.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { nft } from "../../../src/agent/net-admin/nft/nft.ts";
import { tableOf } from "../../../src/agent/net-admin/nft/table.ts";
import { hasPrograms } from "../../programs.ts";
import { hasTable, havePortMap, listTables, logged, openMap, startNamed, unusedPort, whoAnswers } from "./rig.ts";

const able = await havePortMap();

describe.skipIf(!able)("a map of an agent before", () => {
  test("works on when it is opened again, and what that agent closed stays closed until all is told", async () => {
    const first = await openMap();
    const [a, b, kept] = [await startNamed("a"), await startNamed("b"), await startNamed("kept")];
    const port = await unusedPort();
    await first.set([{ listen: "", port, networks: ["tcp"], inner: a }]);
    await first.keepClosed([kept]);
    first.detach();

    const second = await openMap(first.directory);
    expect(await whoAnswers(port)).toBe("a");
    await second.keepClosed([b]);
    expect(await whoAnswers(port)).toBe("a");
    for (const inner of [a, b, kept]) await expect.soft(whoAnswers(inner)).rejects.toThrow("ECONNREFUSED");
    await second.set([{ listen: "", port, networks: ["tcp"], inner: b }]);
    expect(await whoAnswers(port)).toBe("b");
    expect(await whoAnswers(kept)).toBe("kept");
    await expect(whoAnswers(b)).rejects.toThrow("ECONNREFUSED");
  });

  test("is taken over while connections come, none of which fails", async () => {
    const map = await openMap();
    const inner = await startNamed("engine");
    const port = await unusedPort();
    const mappings = [{ listen: "", port, networks: ["tcp"] as const, inner }];
    await map.set(mappings);
    map.detach();
    const end = new AbortController();
    const answers = new Set<string>();
    const dialling = Promise.all(
      ["127.0.0.1", "::1"].map(async (host) => {
        while (!end.signal.aborted) answers.add(await whoAnswers(port, host).catch((error: unknown) => String(error)));
      }),
    );
    for (let round = 0; round < 10; round += 1) {
      const next = await openMap(map.directory);
      await next.set(mappings);
      next.detach();
    }
    end.abort();
    await dialling;
    expect([...answers]).toEqual(["engine"]);
  });

  test("is made anew where an older version's table does not take our rules", async () => {
    const map = await openMap();
    await nft(`add table ${tableOf(map.directory)}\nadd set ${tableOf(map.directory)} every { type ipv4_addr; }\n`);
    const inner = await startNamed("engine");
    const port = await unusedPort();
    await map.set([{ listen: "", port, networks: ["tcp"], inner }]);
    expect(await whoAnswers(port)).toBe("engine");
  });

  test("is restored when somebody flushed it, and leaves no table behind when it is removed", async () => {
    const map = await openMap();
    const inner = await startNamed("engine");
    const port = await unusedPort();
    await map.set([{ listen: "", port, networks: ["tcp"], inner }]);
    await nft(`delete table ${tableOf(map.directory)}\n`);
    await expect(whoAnswers(port)).rejects.toThrow("ECONNREFUSED");
    await expect.poll(() => whoAnswers(port).catch(() => "")).toBe("engine");
    await expect.poll(() => logged.at(-1)).toContain("was made again");
    await nft(`delete table ${tableOf(map.directory)}\n`);
    // A change does not wait for that.
    await map.keepClosed([await unusedPort()]);
    expect(await whoAnswers(port)).toBe("engine");
    await map.remove();
    expect(hasTable(map.directory)).toBe(false);
    await map.remove();
    expect(await listTables()).not.toContain("signalbox_probe");
  });
});

const canGiveUp = able && process.getuid?.() === 0 && hasPrograms("port maps without the right", "setpriv");
test.skipIf(!canGiveUp)("without the right there is no map, and a sentence says why", () => {
  const script = `
    const { openPortMap } = await import(${JSON.stringify(new URL("../../../src/agent/engines/portmap/index.ts", import.meta.url).href)});
    const map = await openPortMap("/nowhere", (level, message) => console.log(level, message));
    console.log(map === undefined ? "no map" : "a map");`;
  const capability = ["--bounding-set=-net_admin", "--inh-caps=-net_admin"];
  for (const words of [["--reuid=nobody", "--clear-groups"], capability]) {
    const { stdout, stderr } = spawnSync("setpriv", [...words, process.execPath, "--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect
      .soft(stdout, stderr)
      .toMatch(
        /^info The agent may not keep the kernel's port map: it needs the capability CAP_NET_ADMIN \(nft: .*\)\.\nno map\n$/,
      );
  }
});
