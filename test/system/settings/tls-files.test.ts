// `web_tls_mode` files: refused where no listener could serve them, served after a restart, followed when a renewal
// replaces them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { dialects } from "../../database.ts";
import { ListeningPanel, PASSWORD, SETUP_TOKEN } from "./panel.ts";

describe.each(dialects)("certificate files on %s", (dialect) => {
  let panel: ListeningPanel;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_domain: "panel.example" });
  });
  afterAll(() => panel.dispose());

  const file = (name: string) => join(panel.directory, name);
  const bring = async (name: string, host: string) => {
    const { certificate, privateKey } = await issueSelfSigned([host], Date.now());
    await Promise.all([writeFile(file(`${name}.crt`), certificate), writeFile(file(`${name}.key`), privateKey)]);
  };
  const names = async () => (await panel.ask("GET", "/healthz")).names;

  // rule certificates.mode.2
  test("the mode needs both paths, and neither may be emptied under it", async () => {
    expect((await panel.put("web_tls_mode", "files")).body).toMatchObject({ code: "validation", field: "value" });
    await bring("one", "one.example");
    await panel.put("web_cert_file", file("one.crt"));
    expect((await panel.put("web_tls_mode", "files")).status).toBe(400);
    await panel.put("web_key_file", file("one.key"));
    expect((await panel.put("web_tls_mode", "files")).status).toBe(200);
    expect((await panel.put("web_cert_file", "")).status).toBe(400);
    expect((await panel.put("web_key_file", "")).status).toBe(400);
  });

  // rule certificates.mode.4
  test("they are served after a restart, and what replaces them without one", async () => {
    expect(await names()).toEqual(["panel.example"]);
    await panel.restart();
    expect(await names()).toEqual(["one.example"]);
    await bring("one", "renewed.example");
    await expect.poll(names).toEqual(["renewed.example"]);
    await writeFile(file("one.crt"), "half of a");
    await bring("one", "whole.example");
    await expect.poll(names).toEqual(["whole.example"]);
  });

  // rule certificates.mode.3
  test("what is no certificate, no key or no pair is refused; a file that is not there yet is not", async () => {
    await bring("two", "two.example");
    await writeFile(file("text"), "hello");
    for (const key of ["web_cert_file", "web_key_file"]) {
      const refused = await panel.put(key, file("text"));
      expect(refused.body).toMatchObject({ code: "validation", field: "value" });
      expect(refused.body.error).toContain(key);
      expect((await panel.put(key, panel.directory)).status).toBe(400);
    }
    expect((await panel.put("web_cert_file", file("two.crt"))).status).toBe(200);
    expect((await panel.put("web_tls_mode", "files")).body.error).toContain("is not the key of the certificate");
    expect((await panel.put("web_key_file", file("two.key"))).status).toBe(200);
    expect((await panel.put("web_tls_mode", "files")).status).toBe(200);
    expect((await panel.put("web_cert_file", file("later.crt"))).status).toBe(200);
  });

  // rule certificates.mode.5
  test("a restart that would only end the panel is refused, and a start says what to do", async () => {
    await panel.put("web_cert_file", file("later.crt"));
    const restart = await panel.ask("POST", "/api/restart");
    expect([restart.status, restart.body.code]).toEqual([409, "cannot_start"]);
    expect(restart.body.error).toMatch(/later\.crt does not exist: mend it/);
    await panel.stop();
    await expect(panel.start()).rejects.toThrow(
      /web_cert_file: .*later\.crt does not exist: mend it, or run `signalbox settings set/,
    );
  });

  // rule setup.finish.6
  test("setup refuses files that the restart could not serve", async () => {
    const fresh = await ListeningPanel.pending(dialect);
    try {
      const settings = { web_tls_mode: "files", web_cert_file: file("nowhere.crt"), web_key_file: file("two.key") };
      const setUp = () =>
        fresh.ask("POST", `/api/setup?t=${SETUP_TOKEN}`, {
          body: { username: "root", password: PASSWORD, settings },
          cookie: "",
        });
      expect(await setUp()).toMatchObject({ status: 400, body: { field: "settings.web_cert_file" } });
      expect((await fresh.ask("GET", `/api/setup?t=${SETUP_TOKEN}`)).body).toMatchObject({ required: true });
    } finally {
      await fresh.dispose();
    }
  });
});
