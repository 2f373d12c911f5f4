// From a proxy user's seat: the node itself, its neighbours and the engine's own interfaces, by every name and
// notation, over every protocol, by connection and by datagram. Each engine serves in a network and with a resolver of
// its own, where private addresses would be reached if they were open.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { engineFactories } from "../../../src/agent/engines/all.ts";
import { PRIVATE_HERE, PUBLIC_HERE } from "./notations.ts";

const Findings = z.object({
  arrived: z.array(z.string()),
  warnings: z.array(z.string()),
  questions: z.int(),
  rejected: z.int(),
  interfaces: z.array(z.string()),
  listening: z.array(z.string()),
});

/** Ways that an engine does not serve, as it says in a warning. */
const UNSERVED: Readonly<Record<string, readonly string[]>> = {
  v2ray: ["socks udp", "socks udp, second"],
  xray: ["socks udp", "socks udp, second"],
};
const PLAIN = [
  "socks",
  "socks udp",
  "socks udp, second",
  "http connect",
  "http plain",
  "vless",
  "vless udp",
  "trojan",
  "trojan udp",
  "trojan udp, second",
];

const able = await canIsolate();
const present = await Promise.all(
  engineFactories
    .filter(({ kind }) => kind !== "none")
    .map(async ({ kind, probe }) => ({ kind, there: (await probe()) !== undefined })),
);

describe.each(present)("$kind", ({ kind, there }) => {
  // rule agents.engine.4
  test.skipIf(!able || !there)("keeps private targets closed, however they are written", async () => {
    const { arrived, questions, rejected, interfaces } = await attempts(kind, "block");
    const landed = arrived.map((line) => /^(.*) \| (.*) -> (.*)$/.exec(line)?.slice(1) ?? [line, "", ""]);
    expect(landed.filter(([, , local]) => !PUBLIC_HERE.some((address) => address === local))).toEqual([]);
    expect(interfaces).toEqual([]);
    // What was tried would have arrived: by each way, something open did.
    const open = new Set(landed.map(([way]) => way));
    expect(PLAIN.filter((way) => !open.has(way))).toEqual(UNSERVED[kind] ?? []);
    expect(questions).toBeGreaterThan(10);
    expect(rejected).toBeGreaterThan(200);
  });

  // rule agents.engine.4
  test.skipIf(!able || !there)("opens them where that is allowed, but never the engine's own interfaces", async () => {
    const { arrived, interfaces } = await attempts(kind, "allow");
    for (const address of ["127.0.0.1", "::1", ...PRIVATE_HERE])
      expect.soft(arrived, address).toContain(`socks | ${address} -> ${address}`);
    expect(interfaces).toEqual([]);
  });
});

async function attempts(kind: string, mode: "block" | "allow"): Promise<z.infer<typeof Findings>> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-attempts-"));
  try {
    writeFileSync(join(directory, "resolv.conf"), "nameserver 127.0.0.77\noptions timeout:1 attempts:1\n");
    writeFileSync(join(directory, "hosts"), "127.0.0.1 localhost hosts.test\n::1 localhost\n");
    const own =
      'mount --bind "$1/resolv.conf" /etc/resolv.conf && mount --bind "$1/hosts" /etc/hosts && shift && exec "$@"';
    const main = [process.execPath, join(import.meta.dirname, "attempts-main.ts"), kind, mode];
    // A process space of its own too: whatever happens, nothing that was started there outlives it.
    const words = [
      "--net",
      "--mount",
      "--pid",
      "--fork",
      "--kill-child",
      "--mount-proc",
      "sh",
      "-c",
      own,
      "sh",
      directory,
      ...main,
    ];
    const { stdout } = await promisify(execFile)("unshare", words, { maxBuffer: 64 * 1024 * 1024, timeout: 250_000 });
    return Findings.parse(JSON.parse(stdout));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A separate network and separate files need root rights. */
async function canIsolate(): Promise<boolean> {
  try {
    await promisify(execFile)("unshare", [
      "--net",
      "--mount",
      "--pid",
      "--fork",
      "--mount-proc",
      "ip",
      "link",
      "set",
      "lo",
      "up",
    ]);
    return true;
  } catch (error) {
    if (process.env["CI"] === "true") throw error;
    console.warn(`SKIPPED: no network of one's own here: ${String(error)}`);
    return false;
  }
}
