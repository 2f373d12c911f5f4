// The commands as processes: what they print, how they end, and what a killed agent leaves for the next.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { planUser } from "./fixture.ts";
import { dial, makePanelIdentity, UsageBook } from "./panel.ts";

const Announcement = z.strictObject({ listening: z.string(), fingerprint: z.string().regex(/^[A-Za-z0-9+/]{43}=$/) });

let directory: string;
let panel: Awaited<ReturnType<typeof makePanelIdentity>>;
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-command-"));
  panel = await makePanelIdentity("panel");
  await writeFile(join(directory, "trust.pem"), panel.trust);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

function run(...argv: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("run-command.ts", import.meta.url)), ...argv], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, SIGNALBOX_LOG_LEVEL: "info" },
  });
  children.push(child);
  return child;
}

async function outcome(...argv: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const child = run(...argv);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, out, err };
}

async function started(...argv: string[]) {
  const child = run(...argv);
  child.stderr.resume();
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { listening, fingerprint } = Announcement.parse(JSON.parse(line));
  return { child, fingerprint, port: Number(listening.split(":").at(-1)) };
}

// rule agents.command.1
test("--help ends with 0, bad usage with 2 naming the option, a failed start with 1", async () => {
  const trust = join(directory, "trust.pem");
  const [help, missing, unknown, engine, address, absent, percent] = await Promise.all([
    outcome("agent", "--help"),
    outcome("agent", "--listen", "127.0.0.1:0", "--trust", trust),
    outcome("simulate", "--nodes", "3"),
    outcome("agent", "--listen", "127.0.0.1:0", "--data", directory, "--trust", trust, "--engine", "simulated"),
    outcome("simulate", "--listen", "nowhere", "--trust", trust),
    outcome(
      "agent",
      "--listen",
      "127.0.0.1:0",
      "--data",
      join(directory, "d"),
      "--trust",
      join(directory, "absent.pem"),
      "--engine",
      "none",
    ),
    outcome("simulate", "--listen", "127.0.0.1:0", "--trust", trust, "--active", "101"),
  ]);
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining("--private-targets") });
  expect(missing).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--data is required") });
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("--nodes") });
  expect(engine).toMatchObject({ code: 2, err: expect.stringContaining("--engine") });
  expect(address).toMatchObject({ code: 2, err: expect.stringContaining("--listen: is no HOST:PORT") });
  expect(absent).toMatchObject({ code: 1, out: "", err: expect.stringContaining("absent.pem") });
  expect(percent).toMatchObject({ code: 2, err: expect.stringContaining("--active: is above 100") });
});

// rule agents.command.4
test("simulate announces itself, answers on every loopback address and ends with 0", async () => {
  const { child, port } = await started(
    "simulate",
    "--listen",
    "0.0.0.0:0",
    "--trust",
    join(directory, "trust.pem"),
    "--seed",
    "5",
  );
  const links = await Promise.all(
    ["127.0.0.1", "127.200.3.4"].map((host) => dial(port, panel.client, undefined, host)),
  );
  const hellos = await Promise.all(links.map((link) => link.hello(1)));
  expect(hellos[0]?.ledger.bootId).not.toBe(hellos[1]?.ledger.bootId);
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
});

// rules agents.engine.2, agents.command.1
test("an agent with its own engine counts real traffic, and serves again after SIGKILL without its panel", async () => {
  const target = createServer((_request, response) => response.end("x".repeat(50_000)));
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  const targetPort = (target.address() as AddressInfo).port;
  const spare = createServer().listen(0, "127.0.0.1");
  await once(spare, "listening");
  const proxyPort = (spare.address() as AddressInfo).port;
  spare.close();
  const argv = [
    "agent",
    "--listen",
    "127.0.0.1:0",
    "--data",
    join(directory, "data"),
    "--trust",
    join(directory, "trust.pem"),
    "--engine",
    "embedded",
    "--private-targets",
    "allow",
  ];
  const first = await started(...argv);
  const book = new UsageBook();
  const link = await dial(first.port, panel.client, book);
  await link.hello(1);
  const user = { ...planUser(1), uuid: "8b1c7f0e-2a44-4c7b-9a30-1d1c54e0a001" };
  const { warnings, applied } = await link.peer.call("state.apply", {
    revision: 1,
    objects: {
      put: {
        "inbound:3": {
          kind: "inbound",
          id: 3,
          tag: "in",
          type: "http",
          config: { listen: "127.0.0.1", listen_port: proxyPort },
        },
      },
      drop: [],
    },
    users: { put: [user] },
  });
  expect(warnings).toEqual([]);
  const fetchThrough = async (): Promise<number> => {
    const authorization = Buffer.from(`${user.uuid}:${user.password}`).toString("base64");
    const outgoing = request({
      host: "127.0.0.1",
      port: proxyPort,
      path: `http://127.0.0.1:${targetPort}/`,
      agent: false,
      headers: { "proxy-authorization": `Basic ${authorization}` },
    });
    outgoing.end();
    const [response] = (await once(outgoing, "response")) as [NodeJS.ReadableStream & { statusCode: number }];
    return (await text(response)).length;
  };
  expect(await fetchThrough()).toBe(50_000);
  await expect.poll(() => book.down).toBeGreaterThanOrEqual(50_000);
  expect(book.totals.get(1)).toBe(book.up + book.down);
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const second = await started(...argv);
  expect(second.fingerprint).toBe(first.fingerprint);
  await expect.poll(() => fetchThrough().catch(() => 0)).toBe(50_000);
  const again = await dial(second.port, panel.client, book);
  await again.hello(1);
  expect((await again.peer.call("state.report", {})).applied).toEqual(applied);
  // A clean stop reads the counters a last time: what was used since is in the next agent's ledger.
  second.child.kill("SIGTERM");
  const [code] = (await once(second.child, "exit")) as [number];
  expect(code).toBe(0);
  const third = await started(...argv);
  await (await dial(third.port, panel.client, book)).hello(1);
  await expect.poll(() => book.down).toBeGreaterThanOrEqual(100_000);
  target.close();
});
