// A panel that waits for setup: nothing is there but setup and /healthz; finishing it takes one process, and all
// restart.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { ListeningPanel, PASSWORD, SETUP_TOKEN } from "./panel.ts";

const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

describe.each(dialects)("setup pending on %s", (dialect) => {
  let panel: ListeningPanel;
  beforeEach(async () => {
    panel = await ListeningPanel.pending(dialect);
  });
  afterEach(() => panel.dispose());

  const finish = (
    from: ListeningPanel,
    username: string,
    settings: Readonly<Record<string, string>> = { web_tls_mode: "none" },
  ) => from.ask("POST", `/api/v1/setup?t=${SETUP_TOKEN}`, { body: { username, password: PASSWORD, settings } });

  // rule setup.pending.1
  test("everything is 404, whatever the method and prefix; /healthz answers", async () => {
    const paths = ["/", "/metrics", "/sub/abc", "/sub/abc/links", "/inspect", "/api", "/api/unknown"];
    for (const prefix of ["/api", "/api/v1"])
      paths.push(
        ...["/setup", "/login", "/me", "/users", "/users/1", "/openapi.json", "/settings/web_domain", "/scopes"].map(
          (path) => prefix + path,
        ),
      );
    for (const path of paths) {
      for (const method of ["GET", "POST", "PUT", "DELETE", "HEAD"]) {
        const { status } = await panel.ask(method, path);
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
    for (const path of ["/api/v1/actors/stream", "/api/v1/events/stream"])
      expect([path, (await panel.ask("GET", path, { headers: UPGRADE })).status]).toEqual([path, 404]);
    expect(await panel.ask("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  // rule setup.pending.2
  test("a request that carries the token is answered as on any panel", async () => {
    const ask = async (method: string, path: string) => (await panel.ask(method, `${path}?t=${SETUP_TOKEN}`)).status;
    expect([
      await ask("GET", "/api/me"),
      await ask("GET", "/api/openapi.json"),
      await ask("GET", "/api/unknown"),
    ]).toEqual([401, 200, 404]);
    expect(await ask("DELETE", "/api/setup")).toBe(405);
  });

  // rule setup.pending.7
  test("the panel tries an address for who sets it up, and counts nothing for it", async () => {
    const look = async (address: string, t = SETUP_TOKEN) => {
      const query = new URLSearchParams({ t, try: address });
      return panel.ask("GET", `/api/v1/setup?${query.toString()}`);
    };
    // More often than wrong tokens are forgiven.
    for (let n = 0; n < 7; n++)
      expect((await look(panel.url)).body.tried).toEqual({ url: panel.url, reached: true, error: "" });
    const [port = 0] = await quietPorts(1);
    expect((await look(`http://127.0.0.1:${port}/path`)).body.tried).toMatchObject({
      url: `http://127.0.0.1:${port}`,
      reached: false,
      error: expect.stringMatching(/./),
    });
    expect(await look("ftp://example")).toMatchObject({ status: 400, body: { field: "try" } });
    expect((await look(panel.url, "wrong")).status).toBe(404);
    expect((await finish(panel, "root")).status).toBe(200);
  });

  // rules setup.finish.4, setup.finish.5
  test("each refused field leaves it in setup; what is right then finishes it, and the restart serves what was set", async () => {
    for (const [settings, field] of [
      [{ web_listen_ip: "localhost" }, "settings.web_listen_ip"],
      [{ web_listen_port: "0" }, "settings.web_listen_port"],
      [{ web_basepath: "/sub" }, "settings.sub_basepath"],
      [{ web_tls_mode: "on" }, "settings.web_tls_mode"],
      [{ web_cert_id: "1" }, "settings.web_cert_id"],
      [{ sub_domain: "a b" }, "settings.sub_domain"],
      [{ backup_passphrase: "x" }, "settings.backup_passphrase"],
      [{ web_masquerade_dir: "/nowhere" }, "settings.web_masquerade_dir"],
    ] as const) {
      const refused = await finish(panel, "root", settings);
      expect([refused.status, refused.body.field]).toEqual([400, field]);
    }
    expect((await panel.ask("GET", `/api/setup?t=${SETUP_TOKEN}`)).body).toMatchObject({ required: true });
    await panel.setUp({ web_domain: "panel.example", sub_domain: "*.w.example", web_basepath: "/p" });
    const me = await panel.ask("GET", "/p/api/v1/me");
    expect([me.status, me.names.toSorted()]).toEqual([200, ["*.w.example", "panel.example"]]);
    expect((await panel.ask("GET", `/p/api/setup?t=${SETUP_TOKEN}`)).body).toEqual({ required: false });
    expect((await panel.ask("POST", "/p/api/setup", { body: { username: "other", password: PASSWORD } })).status).toBe(
      409,
    );
  });

  // rule setup.pending.3
  test("a host that is no name is not kept", async () => {
    const done = await panel.ask("GET", `/api/setup?t=${SETUP_TOKEN}`, { host: "a_b!{}" });
    expect(done.body).toMatchObject({ required: true, defaults: { web_domain: "" } });
  });

  // rule setup.finish.5
  if (dialect === "postgresql")
    test("of two processes one finishes it, both restart and serve", async () => {
      const neighbour = await panel.neighbour();
      try {
        const both = await Promise.all([finish(panel, "one"), finish(neighbour, "two")]);
        expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
        await Promise.all([panel.restartWanted, neighbour.restartWanted]);
        await Promise.all([panel.restart(), neighbour.restart()]);
        const owner = both[0]?.status === 200 ? "one" : "two";
        for (const each of [panel, neighbour]) expect(await each.signIn(owner)).toContain("panel_session=");
      } finally {
        await neighbour.dispose();
      }
    });
});
