// An agent that cannot start says why in a sentence that an operator can act on; one whose clock is wrong says so and
// starts.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentFixture } from "./fixture.ts";
import type { AgentFixture } from "./fixture.ts";
import { hasPrograms } from "../programs.ts";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

test("the trust file is missing, empty, or no certificate", async () => {
  const path = join(fixture.directory, "other.pem");
  await expect(fixture.start({ trustFile: path })).rejects.toThrow(
    `the trust file ${path} does not exist; it is the panel's certificate`,
  );
  await writeFile(path, "nothing");
  await expect(fixture.start({ trustFile: path })).rejects.toThrow(`the trust file ${path} holds no certificate (PEM)`);
  await writeFile(path, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  await expect(fixture.start({ trustFile: path })).rejects.toThrow(
    `the trust file ${path} holds a certificate that cannot be read`,
  );
});

test("the port is used, or the address is not this machine's", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(fixture.start({ port })).rejects.toThrow(`127.0.0.1:${port} is used by another program`);
  other.close();
  await expect(fixture.start({ host: "192.0.2.1" })).rejects.toThrow("this machine has no address 192.0.2.1");
  // A refused start leaves the directory to the next.
  await fixture.start();
});

test.skipIf(!hasPrograms("agents that lock their directory", "flock"))(
  "the data directory is in use, a file, or below one",
  async () => {
    await fixture.start();
    await expect(fixture.start()).rejects.toThrow("another agent runs on the data directory");
    await writeFile(join(fixture.directory, "file"), "");
    await expect(fixture.start({ dataDirectory: join(fixture.directory, "file") })).rejects.toThrow(
      "something that is no directory",
    );
    await expect(fixture.start({ dataDirectory: join(fixture.directory, "file", "data") })).rejects.toThrow(
      "something that is no directory",
    );
  },
);

test("the named engine is not there", async () => {
  await expect(fixture.start({ engine: "xray" })).rejects.toThrow("xray");
});

test("a clock before the panel's certificate is named in the log, and the agent starts", async () => {
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  await fixture.start({ log, now: () => Date.UTC(2001, 1, 1) });
  expect(lines.join()).toContain(
    "clock says 2001-02-01T00:00:00.000Z, which is before the panel's certificate (CN=panel CA) is valid",
  );
});
