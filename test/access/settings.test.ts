// Settings: what is listed, who writes what, and what a value may be.
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLog } from "../../src/access/index.ts";
import { sql } from "../../src/db/index.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import { Outbox } from "../../src/runtime/index.ts";
import { getSetting, listSettings, setSetting } from "../../src/system/index.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("settings on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let operator: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "operator", password: PASSWORD, role: "admin" },
    });
    operator = await signIn(panel, "operator");
  });
  afterAll(() => panel.dispose());

  const put = (key: string, value: unknown, as = root) =>
    panel.send("PUT", `/api/v1/settings/${key}`, { as, body: { value } });

  // rule settings.list.1
  test("the list has every key but the internal ones, with both lists' rules", async () => {
    const list = await panel.send("GET", "/api/v1/settings?limit=1000", { as: operator });
    const rows = list.body["items"] as { key: string; panelWide: boolean }[];
    const keys = rows.map((row) => row.key);
    expect(keys).not.toContain("setup_token");
    expect(keys).not.toContain("backup_passphrase");
    expect(keys).toEqual(keys.toSorted());
    expect(rows.find((row) => row.key === "web_domain")?.panelWide).toBe(true);
    expect((await panel.send("GET", "/api/settings?q=sub_happ", { as: root })).headers["x-total-count"]).toBe("4");
  });

  // rule settings.list.9
  test("a row says what its key is: group, form, values, default, and whether a restart is needed", async () => {
    const rows = (await panel.send("GET", "/api/settings", { as: root })).body as unknown as Record<string, unknown>[];
    const row = (key: string) => rows.find((each) => each["key"] === key);
    expect(row("web_tls_min")).toMatchObject({
      group: "web",
      type: "choice",
      values: ["1.2", "1.3"],
      default: "1.2",
      restart: true,
      restartPending: false,
      unused: false,
    });
    expect(row("changes_logging")).toMatchObject({ type: "flag", values: ["true", "false"], restart: false });
    expect(row("changes_retention_days")).toMatchObject({ type: "number", values: [], default: "90" });
    expect(row("alert_user_expiry_days")).toMatchObject({ value: "", type: "days", default: "7,1", unused: false });
    expect(row("alert_disk_percent")).toMatchObject({ type: "number", unused: true });
    expect(row("backup_interval_hours")).toMatchObject({ type: "number", unused: false });
    expect(row("sub_happ_key")).toMatchObject({ type: "lines", group: "client_apps" });
    expect((await put("web_tls_min", "1.3")).body).toMatchObject({ value: "1.3", restartPending: true });
    expect((await put("web_tls_min", "1.2")).body).toMatchObject({ restartPending: false });
    expect((await put("acme_eab_key", "hidden")).body).toMatchObject({ value: "", default: "", secretSet: true });
    expect((await put("acme_eab_key", "")).body).toMatchObject({ secretSet: false });
  });

  // rule settings.list.3
  test("a write echoes the row, holds at once, and is recorded; a panel-wide change is an event without its value", async () => {
    // Without a zone of its own the panel counts days in the host's: pages are told its name.
    const host = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect((await panel.send("GET", "/api/me", { as: root })).body["timezone"]).toBe(host);
    const saved = await put("timezone", "Asia/Tehran");
    expect([saved.status, saved.body]).toMatchObject([
      200,
      { key: "timezone", value: "Asia/Tehran", panelWide: true, secret: false },
    ]);
    expect((await panel.send("GET", "/api/me", { as: root })).body["timezone"]).toBe("Asia/Tehran");
    const last = (await panel.events()).at(-1);
    expect(last).toEqual({ event: "panel.settings_changed", data: { setting: "timezone", actor: "root" } });
    const [change] = (await panel.send("GET", "/api/changes?key=settings&limit=1", { as: root })).body as unknown as {
      obj: unknown;
      entityId: string;
    }[];
    expect(change).toMatchObject({ entityId: "timezone", obj: { value: ["", "Asia/Tehran"] } });
    const again = await put("timezone", "Asia/Tehran");
    expect(Number(again.body["updatedAt"])).toBeGreaterThan(Number(saved.body["updatedAt"]));
  });

  // rules settings.list.1, settings.list.5
  test("panel-wide keys are for main admins, internal ones for nobody, unknown ones do not exist", async () => {
    expect((await put("timezone", "", operator)).status).toBe(403);
    expect((await put("sub_title", "Shop", operator)).status).toBe(200);
    expect((await put("setup_token", "x")).status).toBe(403);
    expect((await put("backup_passphrase", "x")).status).toBe(403);
    expect([(await put("colour", "red")).status, (await put("__proto__", "red")).status]).toEqual([400, 400]);
    expect((await put("timezone", 4)).body["field"]).toBe("value");
  });

  // rule settings.list.2
  test("panel-wide are these keys, no more and no fewer", () => {
    const listed =
      "web_domain web_basepath web_cert_file web_key_file web_listen_ip web_listen_port web_tls_mode web_cert_id acme_directory web_masquerade_dir preset_dir " +
      "sub_domain sub_basepath timezone event_retention_days node_health_retention_days ruleset_dir trusted_proxies login_allowlist backup_enabled " +
      "backup_interval_hours backup_dir backup_keep backup_include_history backup_include_audit backup_rehearse " +
      "webhook_allow_private changes_logging changes_retention_days update_url acme_eab_kid acme_eab_key sub_happ_key_url sub_incy_key_url sub_listen sub_url web_url";
    const panelWide = panel.settings.visible().filter((row) => row.panelWide);
    expect(panelWide.map(({ key }) => key)).toEqual(listed.split(" ").toSorted());
  });

  // rule settings.list.2
  test("an admin neither opens private addresses, nor ends the record of changes, nor says whose keys links are sealed to", async () => {
    for (const [key, value] of [
      ["webhook_allow_private", "true"],
      ["changes_logging", "false"],
      ["changes_retention_days", "1"],
      ["sub_happ_key_url", "https://keys.example/mine.pem"],
      ["acme_eab_key", "mine"],
    ] as const)
      expect([key, (await put(key, value, operator)).status]).toEqual([key, 403]);
    expect([panel.settings.flag("webhook_allow_private"), panel.settings.flag("changes_logging")]).toEqual([
      false,
      true,
    ]);
  });

  // rule settings.list.2
  test("a reseller neither reads nor writes them", async () => {
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "shop", password: PASSWORD, role: "resale" },
    });
    const shop = await signIn(panel, "shop");
    expect([
      (await panel.send("GET", "/api/settings", { as: shop })).status,
      (await put("sub_title", "x", shop)).status,
    ]).toEqual([403, 403]);
  });

  // rule http.list.5
  test("updated_since is no matter of theirs", async () => {
    const all = await panel.send("GET", "/api/settings", { as: root });
    const since = await panel.send("GET", "/api/settings?updated_since=99999999999", { as: root });
    expect(since.headers["x-total-count"]).toBe(all.headers["x-total-count"]);
  });

  // rule settings.list.4
  test("a secret is sealed at rest, reads as empty and is in no record", async () => {
    expect((await put("acme_eab_key", "very-secret-key")).body).toMatchObject({ value: "", secret: true });
    expect(panel.settings.text("acme_eab_key")).toBe("very-secret-key");
    const rows = await panel.database.reads.query(sql`select value from settings where id = 'acme_eab_key'`);
    const changes = await panel.send("GET", "/api/changes", { as: root });
    const list = await panel.send("GET", "/api/settings", { as: root });
    for (const text of [JSON.stringify(rows), changes.text, list.text]) expect(text).not.toContain("very-secret-key");
  });

  // rules settings.list.5, settings.listen.1, settings.value.1, settings.value.2, settings.value.3, settings.value.4
  test.each([
    ["web_listen_ip", ["", "::1", "0.0.0.0"], ["localhost", "1.2.3"]],
    ["web_listen_port", ["", "1", "65535"], ["0", "65536", "+80", "8e1"]],
    ["web_basepath", ["", "/a", "/a/b-c"], ["a", "/", "/a/", "//a", "/a b"]],
    [
      "web_domain",
      ["", "panel.example", "10.0.0.1", "::1"],
      ["https://panel.example", "a b", "panel.example:8443", "-a.example"],
    ],
    ["web_tls_mode", ["none"], ["", "on", "SELF_SIGNED"]],
    ["web_cert_id", ["7", ""], ["seven", "-1", "1.5"]],
    ["sub_support_url", ["", "https://help.example/x"], ["help.example", "mailto:x@y", "https://"]],
    ["ruleset_dir", ["", "/var/rules"], ["rules", "./rules"]],
    ["backup_dir", ["", "/var/backups"], ["backups"]],
    ["backup_keep", ["0", "14"], ["-1", "many"]],
    ["event_retention_days", ["", "30"], ["-1", "x"]],
    ["alert_memory_percent", ["", "0", "90"], ["101", "-1"]],
    ["alert_user_volume_percent", ["", "0", "80"], ["101"]],
    ["alert_rejected_per_hour", ["", "0", "100000"], ["-1", "1.5"]],
    ["login_allowlist", ["", "192.0.2.0/24 2001:db8::/32"], ["home", "10.0.0.0/8;::1"]],
    ["web_masquerade_dir", ["", "/tmp"], ["/", "tmp", "/does/not/exist", "/etc/hostname"]],
    ["timezone", ["", "Europe/Berlin"], ["Mars/Base"]],
    ["acme_directory", ["", "https://acme.example/dir"], ["acme.example", "ftp://x"]],
    ["trusted_proxies", ["", "10.0.0.0/8, ::1"], ["10.0.0.0/33", "proxy"]],
    [
      "sub_domain",
      ["", "a.example", "*.a.example,b.example"],
      [
        "a.example,",
        "a.example,A.example",
        "a b",
        "https://a.example",
        "a.*.example",
        "*",
        "*.com*",
        "*.com",
        "*a.example",
        "*.*.a.example",
        "1.a,2.a,3.a,4.a,5.a,6.a,7.a,8.a,9.a",
      ],
    ],
    [
      "sub_listen",
      ["", "127.0.0.1:2096", "[::1]:2096, sub.example:443"],
      [
        "2096",
        "127.0.0.1",
        ":2096",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "::1:2096",
        "https://a.example:443",
        "a.example:443,",
        "a.example:443,A.example:443",
        "a:1,a:2,a:3,a:4,a:5,a:6,a:7,a:8,a:9",
      ],
    ],
    ["sub_update_interval", ["", "12"], ["-1", "1.5", "twelve"]],
    ["node_health_retention_days", ["", "0", "730"], ["731"]],
    ["ip_limit_newest", ["true", "false"], ["yes", ""]],
    ["alert_disk_percent", ["", "0", "100"], ["101"]],
    ["alert_user_expiry_days", ["", "0", "7,1"], ["7,0", "-1", "x"]],
    ["backup_interval_hours", ["", "8760"], ["8761"]],
    ["backup_enabled", ["true", "false"], ["yes", ""]],
    ["changes_logging", ["false", "true"], ["1"]],
  ] as const)("%s takes %j and refuses %j", async (key, good, bad) => {
    for (const value of good) expect([value, (await put(key, value)).status]).toEqual([value, 200]);
    for (const value of bad) expect([value, (await put(key, value)).status]).toEqual([value, 400]);
  });

  // rule settings.value.3
  test("sub_domain is stored trimmed", async () => {
    expect((await put("sub_domain", " A.example , *.b.example ")).body["value"]).toBe("a.example,*.b.example");
  });

  // rule certificates.mode.2
  test("the TLS keys are checked against each other", async () => {
    // A web site must not hold the key.
    await put("web_masquerade_dir", "");
    expect((await put("web_tls_mode", "files")).status).toBe(400);
    await put("web_cert_file", "/tmp/cert.pem");
    await put("web_key_file", "/tmp/key.pem");
    expect((await put("web_tls_mode", "files")).status).toBe(200);
    expect((await put("web_key_file", "")).status).toBe(400);
    expect((await put("web_tls_mode", "self_signed")).status).toBe(400);
    expect((await put("web_tls_mode", "none")).status).toBe(200);
    expect((await put("web_key_file", "")).status).toBe(200);
  });

  // rule settings.value.4
  test("subscriptions take no path that the panel needs, whichever of the two is written last", async () => {
    expect((await put("web_basepath", "")).status).toBe(200);
    for (const path of ["/api", "/healthz", "/api/v1", "/..", "/a/./b"])
      expect((await put("sub_basepath", path)).status).toBe(400);
    expect((await put("web_basepath", "/sub")).status).toBe(400);
    expect((await put("web_basepath", "/panel")).status).toBe(200);
    expect((await put("sub_basepath", "/panel")).status).toBe(400);
    expect((await put("sub_basepath", "/panel/sub")).status).toBe(200);
    expect((await put("sub_basepath", "")).status).toBe(200);
    expect((await put("web_basepath", "")).status).toBe(200);
    expect((await put("timezone", "+03:30")).status).toBe(400);
  });

  // rule settings.list.6
  test("the command line's functions follow the same rules", async () => {
    const deps = {
      settings: panel.settings,
      commits: panel.database.commits,
      outbox: new Outbox({ record: () => {} }),
      secretKey: new Uint8Array(32).fill(3),
      privatePlaces: [],
      audit: auditLog(panel.settings),
      origin: { ...systemOrigin("command line"), via: "cli" as const },
    };
    expect(await setSetting(deps, { key: "sub_title", value: "From the shell" })).toMatchObject({
      value: "From the shell",
    });
    expect(getSetting(deps, "sub_title")).toBe("From the shell");
    expect(listSettings(deps).length).toBeGreaterThan(50);
    await expect(setSetting(deps, { key: "timezone", value: "Mars" })).rejects.toThrow(
      "timezone: must be an IANA zone name",
    );
    await expect(setSetting(deps, { key: "setup_token", value: "x" })).rejects.toThrow(
      "there is no setting setup_token",
    );
    expect(() => getSetting(deps, "colour")).toThrow("there is no setting colour");
    expect(listSettings(deps).map(({ key }) => key)).not.toContain("backup_passphrase");
    const [record] = (await panel.send("GET", "/api/changes?key=settings&limit=1", { as: root }))
      .body as unknown as object[];
    expect(record).toMatchObject({ entityId: "sub_title", action: "update", via: "cli", actor: "command line" });
  });

  // rule settings.list.2
  test("with two-factor on, panel-wide keys ask for a code of the last ten minutes, the others do not", async () => {
    await panel.send("POST", "/api/admins", {
      as: root,
      body: { username: "careful", password: PASSWORD, role: "sudo" },
    });
    const careful = await signIn(panel, "careful");
    const enrolling = await panel.send("POST", "/api/me/2fa/totp", { as: careful });
    const code = (): string =>
      generateSync({ secret: String(enrolling.body["secret"]), epoch: Math.floor(panel.clock.now / 1000) });
    expect((await panel.send("POST", "/api/me/2fa/totp/confirm", { as: careful, body: { code: code() } })).status).toBe(
      200,
    );
    const confirm = async (): Promise<void> => {
      // A code is accepted once.
      panel.clock.now += 60_000;
      expect((await panel.send("POST", "/api/me/confirm", { as: careful, body: { code: code() } })).status).toBe(200);
    };
    await confirm();
    expect((await put("timezone", "UTC", careful)).status).toBe(200);
    panel.clock.now += 11 * 60_000;
    expect(await put("timezone", "Asia/Tehran", careful)).toMatchObject({ status: 428, body: { confirm: "totp" } });
    expect(panel.settings.text("timezone")).toBe("UTC");
    expect((await put("timezone", "Mars/Base", careful)).status).toBe(400);
    expect((await put("sub_title", "Shop", careful)).status).toBe(200);
    await confirm();
    expect((await put("timezone", "Asia/Tehran", careful)).status).toBe(200);
  });
});
