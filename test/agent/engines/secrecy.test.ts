// What is secret stays where it must be: files of the agent and its engines are their owner's alone, and no credential
// stands on a command line, in an engine's environment or in a log.
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planKey, type PlanUser } from "../../../src/protocol/plan.ts";
import { processesOf } from "../../e2e/processes.ts";
import { AgentProgram } from "../agent-program.ts";
import { enginesHere } from "../engines-here.ts";
import { dial as dialAgent, makePanelIdentity } from "../panel.ts";
import { LANES, startSeats } from "./lanes.ts";
import { dial, inbound, ports, reaches, startTarget, until, user } from "./rig.ts";
import { selfSigned } from "../../certificate.ts";

const engines = await enginesHere();
const OF_THE_AGENT = "a-secret-of-the-agent-alone";

/**
 * sing-box writes the login's name, which is all that it knows of a user there, and what a stranger tried; the file is
 * the owner's alone.
 */
const NAMES_LOGINS = /inbound\/(socks|http)\[/;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-secrecy-"));
});
afterEach(async () => {
  for (const { pid } of processesOf(directory)) process.kill(pid, "SIGKILL");
  await expect.poll(() => processesOf(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});

describe.each(engines)("%s", (kind) => {
  // rule agents.engine.9
  test("keeps files to their owner and credentials out of sight", async () => {
    const panel = await makePanelIdentity("panel");
    writeFileSync(join(directory, "trust.pem"), panel.trust);
    const argv = ["--private-targets", "allow", "--log-level", "debug"];
    const agent = await AgentProgram.start({ directory, engine: kind, argv, env: { OF_THE_AGENT } });
    const link = await dialAgent(agent.port, panel.client);
    await link.hello(1);

    const certificate = await selfSigned("node.test");
    const lanes = LANES.filter((lane) => lane.engines.some((engine) => engine === kind));
    const [socks = 0, http = 0, ...lanePorts] = await ports(2 + lanes.length);
    const at = (port: number): Record<string, unknown> => ({ listen: "127.0.0.1", listen_port: port });
    const inbounds = [
      inbound(1, "socks", at(socks)),
      inbound(2, "http", at(http)),
      ...lanes.map((lane, index) => lane.inbound(10 + index, lanePorts[index] ?? 0, certificate)),
    ];
    const people = [person(1), person(2), person(3)] as const;
    const put = Object.fromEntries(inbounds.map((one) => [planKey(one), one]));
    const first = await link.peer.call("state.apply", {
      revision: 1,
      objects: { put, drop: [] },
      users: { put: [...people] },
    });
    expect(first.engine.state).toBe("running");

    const seats = lanes.flatMap((lane, index) =>
      people.slice(0, 2).map((who) => ({ lane, port: lanePorts[index] ?? 0, who })),
    );
    const client = seats.length > 0 ? await startSeats(seats) : undefined;
    const target = await startTarget();
    const changed = { ...people[0], password: "changed-password-of-1" };
    try {
      for (const who of people) expect.soft(await reaches(socks, "127.0.0.1", target.port, loginOf(who))).toBe(true);
      await Promise.all((client?.ports ?? []).map(async (port) => reaches(port, "127.0.0.1", target.port)));
      // A wrong password, a user changed, one removed who tries again, a structure that the engine cannot serve.
      await expect(
        dial(socks, "127.0.0.1", target.port, { user: people[0].uuid, password: "wrong" }),
      ).rejects.toThrow();
      await link.peer.call("state.apply", { revision: 2, users: { put: [changed], drop: [3] } });
      await expect(dial(socks, "127.0.0.1", target.port, loginOf(people[2]))).rejects.toThrow();
      const odd = inbound(9, "vless", {
        ...at(http),
        tls: { enabled: true, certificate: ["none"], key: [people[2].ss32] },
      });
      await link.peer.call("state.apply", { revision: 3, objects: { put: { [planKey(odd)]: odd }, drop: [] } });
      await Promise.all((client?.ports ?? []).map(async (port) => reaches(port, "127.0.0.1", target.port)));

      const credentials = [...people, changed].flatMap((who) => [
        who.uuid,
        who.uuid.replaceAll("-", ""),
        who.password,
        who.ss16,
        who.ss32,
      ]);
      const secrets = [
        ...credentials,
        OF_THE_AGENT,
        certificate.key.split("\n")[1] ?? "",
        Buffer.alloc(16, 200).toString("base64"),
      ];
      const leaked = (text: string): string[] => secrets.filter((secret) => text.includes(secret));

      expect(openToOthers(join(directory, "data"))).toEqual([]);
      const engineProcesses = processesOf(join(directory, "data")).filter(({ pid }) => pid !== agent.pid);
      expect(engineProcesses.length > 0).toBe(kind !== "embedded");
      for (const { pid, command } of engineProcesses)
        expect.soft(leaked(command + readFileSync(`/proc/${pid}/environ`, "utf8")), command).toEqual([]);
      expect(
        leaked(
          processesOf(directory)
            .map(({ command }) => command)
            .join("\n"),
        ),
      ).toEqual([]);
      expect(leaked(agent.program.output)).toEqual([]);
      for (const path of filesBelow(join(directory, "data")).filter((name) => name.endsWith("engine.log")))
        expect
          .soft(
            leakLines(readFileSync(path, "utf8"), leaked).filter((line) => !NAMES_LOGINS.test(line)),
            path,
          )
          .toEqual([]);

      // What an engine wrote last is told as the reason of its end: not what clients tried.
      await expect(dial(socks, "127.0.0.1", target.port, loginOf(people[2]))).rejects.toThrow();
      for (const { pid } of engineProcesses) process.kill(pid, "SIGKILL");
      await until("it serves again", () => reaches(socks, "127.0.0.1", target.port, loginOf(people[1])));
      expect(leaked(agent.program.output)).toEqual([]);
      expect(agent.log.some(({ level }) => level >= 40)).toBe(kind !== "embedded");
    } finally {
      target.close();
      await client?.end();
      await link.close();
      await agent.stop();
    }
  });
});

function person(id: number): PlanUser {
  return user(id, {
    uuid: `7a31c0d${id}-5b2e-4f6a-9c8d-e1f20394a5b${id}`,
    password: `password-that-nobody-sees-${id}`,
  });
}

function loginOf({ uuid, password }: PlanUser): { user: string; password: string } {
  return { user: uuid, password };
}

function leakLines(log: string, leaked: (text: string) => string[]): string[] {
  return log.split("\n").filter((line) => leaked(line).length > 0);
}

/** Whatever somebody else than the owner may read, enter or connect to. */
function openToOthers(path: string): string[] {
  return [path, ...filesBelow(path)].flatMap((name) => {
    const { mode } = lstatSync(name);
    return (mode & 0o077) === 0 ? [] : [`${name} ${(mode & 0o777).toString(8)}`];
  });
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name));
}
