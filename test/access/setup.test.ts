// First-run setup.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SetupState } from "../../src/access/setup/setup-state.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, type AccessPanel } from "./panel.ts";

describe.each(dialects)("setup on %s", (dialect) => {
  let panel: AccessPanel;
  beforeEach(async () => {
    panel = await openAccessPanel(dialect, { listen: "127.0.0.1:9000" });
  });
  afterEach(() => panel.dispose());

  const post = (body: unknown, t = "the-setup-token-of-the-tests") =>
    panel.send("POST", `/api/v1/setup?t=${t}`, { body, headers: { host: "panel.example:9000" } });

  // rules setup.pending.1, setup.pending.3, setup.finish.3
  test("pending: everything is 404 without the token, and the state shows the defaults with it", async () => {
    for (const url of ["/api/setup", "/api/setup?t=wrong", "/api/me", "/api/openapi.json", "/api/login"])
      expect((await panel.send("GET", url)).status).toBe(404);
    const state = await panel.send("GET", "/api/setup?t=the-setup-token-of-the-tests", {
      headers: { host: "panel.example:9000" },
    });
    expect(state.status).toBe(200);
    expect(state.body).toMatchObject({
      required: true,
      listen: "127.0.0.1:9000",
      defaults: { web_domain: "panel.example", web_tls_mode: "self_signed", sub_basepath: "/sub" },
    });
    expect((await panel.send("GET", "/api/me?t=the-setup-token-of-the-tests")).status).toBe(401);
  });

  // rule setup.pending.4
  test("five wrong tokens ban the address, even with the right one", async () => {
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await panel.send("GET", "/api/setup?t=wrong")).status).toBe(404);
    const banned = await panel.send("GET", "/api/setup?t=the-setup-token-of-the-tests");
    expect([banned.status, banned.headers["retry-after"]]).toEqual([429, "900"]);
    expect((await panel.send("GET", "/api/setup?t=the-setup-token-of-the-tests", { ip: "192.0.2.9" })).status).toBe(
      200,
    );
    expect((await panel.events()).map((each) => each.event)).toEqual(["panel.ip_banned"]);
  });

  // rule setup.pending.4
  test("of forty wrong tokens that come at once five are looked at", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => panel.send("GET", `/api/setup?t=guess-${turn}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect([404, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([5, 35]);
  });

  // rule setup.pending.5
  test("a token of one's own choice has twenty characters, while it counts", async () => {
    const short = { ...panel.access, env: { setupToken: "nineteen-characters" } };
    await expect(SetupState.open(short, panel.access.guard)).rejects.toThrow(
      "SIGNALBOX_SETUP_TOKEN: must have at least 20 characters",
    );
    await setUp(panel);
    await SetupState.open(short, panel.access.guard);
  });

  // rules setup.finish.1, setup.finish.2, setup.finish.3
  test("finishing makes the owner, records every mandatory setting, retires the token and restarts", async () => {
    const done = await post({
      username: "Root",
      password: PASSWORD,
      settings: { web_tls_mode: "none", timezone: "Europe/Berlin", web_basepath: "/p" },
    });
    expect([done.status, done.body]).toEqual([200, { status: "ok", url: "https://panel.example/p", restart: true }]);
    await expect.poll(() => panel.restarts.length).toBe(1);
    expect(panel.settings.text("timezone")).toBe("Europe/Berlin");
    expect(panel.settings.row("web_domain")?.value).toBe("panel.example");
    expect(panel.settings.row("web_listen_port")?.value).toBe("");
    expect(panel.settings.row("setup_token")).toBeUndefined();
    expect((await panel.send("GET", "/api/setup")).body).toEqual({ required: false });
    expect((await post({ username: "other", password: PASSWORD })).status).toBe(409);
    expect(await panel.access.setup.token()).toBeUndefined();
    const login = await panel.send("POST", "/api/login", { body: { username: "root", password: PASSWORD } });
    expect(login.body).toMatchObject({ username: "Root", owner: true, role: "sudo", timezone: "Europe/Berlin" });
    expect((await panel.events()).map((each) => each.event)).toEqual(["panel.setup_completed", "admin.login"]);
  });

  // rule setup.finish.2
  test.each([
    [{ web_url: "https://edge.example:18647" }, "https://edge.example:18647/p"],
    [{ web_url: "https://edge.example/p", sub_url: "https://s.example" }, "https://edge.example/p"],
    [{ web_tls_mode: "self_signed" }, "https://panel.example/p"],
    [{ web_domain: "127.0.0.1" }, "http://127.0.0.1:9000/p"],
  ])("with %j the panel answers at %s", async (more, url) => {
    const settings = { web_tls_mode: "none", web_basepath: "/p", ...more };
    const done = await post({ username: "root", password: PASSWORD, settings });
    expect([done.status, done.body["url"]]).toEqual([200, url]);
    for (const [key, value] of Object.entries(more)) expect(panel.settings.row(key)?.value).toBe(value);
  });

  // rule setup.finish.4
  test("a refused field names itself and leaves the panel in setup", async () => {
    const cases: [unknown, string][] = [
      [{ username: "a b", password: PASSWORD }, "username"],
      [{ username: "root", password: "short" }, "password"],
      [{ username: "rootroot", password: "RootRoot" }, "password"],
      [{ username: "root", password: PASSWORD, settings: { colour: "red" } }, "settings.colour"],
      [{ username: "root", password: PASSWORD, settings: { setup_token: "x" } }, "settings.setup_token"],
      [{ username: "root", password: PASSWORD, settings: { timezone: "Mars/Base" } }, "settings.timezone"],
      [{ username: "root", password: PASSWORD, settings: { web_tls_mode: "files" } }, "settings.web_tls_mode"],
      [{ username: "root", password: PASSWORD, settings: { web_url: "edge.example" } }, "settings.web_url"],
      [{ username: "root", password: PASSWORD, settings: { sub_url: "https://s.example/?a" } }, "settings.sub_url"],
    ];
    for (const [body, field] of cases) {
      const refused = await post(body);
      expect([refused.status, refused.body["field"]]).toEqual([400, field]);
    }
    expect(await panel.access.setup.isPending()).toBe(true);
  });

  // rule setup.finish.5
  test("two at once: one finishes, the other hears 409", async () => {
    const both = await Promise.all(
      ["one", "two"].map((username) => post({ username, password: PASSWORD, settings: { web_tls_mode: "none" } })),
    );
    expect(both.map((each) => each.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  // rules setup.finish.1, certificates.own.1
  test("the panel's certificate is issued in the same transaction", async () => {
    await panel.dispose();
    const asked: (readonly string[])[] = [];
    panel = await openAccessPanel(dialect, {
      ports: {
        issuePanelCertificate: async (names) => {
          asked.push(names);
          return (draft) => draft.nextId("certificates");
        },
      },
    });
    await setUp(panel);
    expect(asked).toEqual([["localhost"]]);
    expect(panel.settings.text("web_cert_id")).toBe("1");
  });
});
