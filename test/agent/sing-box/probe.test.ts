// Which sing-box counts as installed.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { chooseEngine } from "../../../src/agent/engines/index.ts";
import { singBoxFactory } from "../../../src/agent/engines/sing-box/index.ts";

const directory = mkdtempSync(join(tmpdir(), "signalbox-probe-"));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

test("one that cannot count is not taken, and whoever asks for it is told why", async () => {
  const program = join(directory, "sing-box");
  writeFileSync(program, "#!/bin/sh\necho 'sing-box version 1.13.2'\necho 'Tags: with_quic,with_utls'\n");
  chmodSync(program, 0o700);
  vi.stubEnv("PATH", `${directory}:/bin:/usr/bin`);
  expect(await singBoxFactory.probe()).toBeUndefined();
  await expect(chooseEngine("sing-box", [singBoxFactory])).rejects.toThrow(
    "the installed sing-box (1.13.2) cannot count traffic: it was built without the tag with_v2ray_api",
  );
  vi.stubEnv("PATH", "/nowhere");
  expect(await singBoxFactory.probe()).toBeUndefined();
  await expect(chooseEngine("sing-box", [singBoxFactory])).rejects.toThrow(
    "the engine sing-box is not installed on this machine",
  );
});
