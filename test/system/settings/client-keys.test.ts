// The keys of client apps: downloaded, checked against a fingerprint, stored; or 502 and nothing written.
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "../../access/panel.ts";
import { dialects } from "../../database.ts";

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each(dialects)("keys of client apps on %s", (dialect) => {
  let publisher: Server;
  let url: string;
  let answer: { status: number; text: string };
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    publisher = createServer((_request, response) => response.writeHead(answer.status).end(answer.text));
    await new Promise<void>((resolve) => publisher.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/key`;
  });
  afterAll(() => publisher.close());

  beforeEach(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterEach(() => panel.dispose());

  const put = (key: string, value: string) => panel.send("PUT", `/api/settings/${key}`, { as: root, body: { value } });
  const refresh = (app: string, as = root) => panel.send("POST", `/api/v1/settings/${app}-key/refresh`, { as });
  const publish = async (app: string, text: string, status = 200) => {
    answer = { status, text };
    await put("webhook_allow_private", "true");
    await put(`sub_${app}_key_url`, url);
  };

  // rule settings.key.1
  test("Happ's: a PEM of an RSA key, its fingerprint over the DER", async () => {
    const key = rsa();
    const pem = key.export({ type: "spki", format: "pem" });
    const fingerprint = sha256(key.export({ type: "spki", format: "der" }));
    await publish("happ", String(pem));
    await put("sub_happ_key_fingerprint", fingerprint.toUpperCase());
    const stored = await refresh("happ");
    expect([stored.status, stored.body]).toEqual([
      200,
      { key: pem, scheme: "crypt4", fingerprint, fetchedAt: expect.any(Number) },
    ]);
    expect(panel.settings.text("sub_happ_key")).toBe(pem);
  });

  // rule settings.key.1
  test("INCY's: 32 bytes in base64, their fingerprint over the bytes; the first one is trusted and kept", async () => {
    const key = randomBytes(32);
    await publish("incy", `${key.toString("base64")}\n`);
    const stored = await refresh("incy");
    expect(stored.body).toMatchObject({ key: key.toString("base64"), scheme: "crypt1", fingerprint: sha256(key) });
    expect(panel.settings.text("sub_incy_key_fingerprint")).toBe(sha256(key));
    answer = { status: 200, text: randomBytes(32).toString("base64") };
    expect((await refresh("incy")).status).toBe(502);
    expect(panel.settings.text("sub_incy_key")).toBe(key.toString("base64"));
    await put("sub_incy_key_fingerprint", "");
    expect((await refresh("incy")).status).toBe(200);
  });

  // rule settings.key.2
  test("502 and nothing written without an address, for an answer that is no key, and for one that is too large", async () => {
    expect((await refresh("happ")).body).toMatchObject({ code: "upstream", error: "sub_happ_key_url: is not set" });
    for (const [text, status] of [
      ["not found", 404],
      ["<html>", 200],
      [randomBytes(31).toString("base64"), 200],
      [generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }), 200],
      ["x".repeat(100_000), 200],
    ] as const) {
      await publish("happ", String(text), status);
      await publish("incy", String(text), status);
      expect([(await refresh("happ")).status, (await refresh("incy")).status]).toEqual([502, 502]);
    }
    for (const app of ["happ", "incy"]) {
      expect(panel.settings.row(`sub_${app}_key`)).toBeUndefined();
      expect(panel.settings.row(`sub_${app}_key_fingerprint`)).toBeUndefined();
    }
  });

  // rule settings.key.4
  test("private addresses only with webhook_allow_private", async () => {
    await publish("incy", randomBytes(32).toString("base64"));
    await put("webhook_allow_private", "false");
    expect((await refresh("incy")).status).toBe(502);
  });

  // rule settings.key.3
  test("for operators' sessions alone", async () => {
    await publish("incy", randomBytes(32).toString("base64"));
    for (const role of ["admin", "resale"])
      await panel.send("POST", "/api/admins", { as: root, body: { username: role, password: PASSWORD, role } });
    const reads = { name: "reads", base: "admin", scopes: ["settings:read"] };
    await panel.send("POST", "/api/roles", { as: root, body: reads });
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "reader", password: PASSWORD, role: "reads" },
    });
    const { token } = (await panel.send("POST", "/api/tokens", { as: root, body: { desc: "t" } })).body;
    expect((await refresh("incy", await signIn(panel, "resale"))).status).toBe(403);
    expect((await refresh("incy", await signIn(panel, "reader"))).status).toBe(403);
    expect((await refresh("incy", String(token))).status).toBe(403);
    expect((await refresh("incy", await signIn(panel, "admin"))).status).toBe(200);
  });

  test("a key written by hand must be one", async () => {
    expect((await put("sub_incy_key", "short")).body).toMatchObject({ field: "value" });
    expect((await put("sub_happ_key", "-----BEGIN PUBLIC KEY-----")).body).toMatchObject({ field: "value" });
    expect((await put("sub_incy_key", randomBytes(32).toString("base64"))).status).toBe(200);
    expect((await put("sub_happ_key", String(rsa().export({ type: "pkcs1", format: "pem" })))).status).toBe(200);
    expect((await put("sub_happ_key", "")).status).toBe(200);
  });
});
