// `signalbox settings`, without a panel and beside one: the route's rules, its audit record, its events.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { signalbox } from "../system/settings/command.ts";
import { ListeningPanel } from "../system/settings/panel.ts";

const cases = dialects.flatMap((dialect) =>
  (["offline", "beside the running panel"] as const).map((how) => ({ dialect, how })),
);

describe.each(cases)("signalbox settings $how on $dialect", ({ dialect, how }) => {
  let panel: ListeningPanel;
  let webhook: number;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_domain: "panel.example" });
    const body = {
      name: "all",
      url: "https://receiver.invalid/",
      secret: "0123456789abcdef",
      events: ["panel.settings_changed"],
    };
    webhook = Number((await panel.ask("POST", "/api/webhooks", { body })).body.id);
    if (how === "offline") await panel.stop();
  });
  afterAll(() => panel.dispose());

  const settings = (...args: readonly string[]) => signalbox(panel, "settings", ...args);

  test("reads what it wrote; another spelling comes back in the stored form", async () => {
    expect(await settings("set", "sub_domain", " Sub.example , *.w.example ")).toEqual({ code: 0, out: "", err: "" });
    expect(await settings("get", "sub_domain")).toMatchObject({ code: 0, out: "sub.example,*.w.example\n" });
  });

  // rules settings.list.6, process.command.1
  test("refuses what the route refuses, with a sentence and 1; wrong usage is 2", async () => {
    const refused: readonly (readonly [readonly string[], RegExp])[] = [
      [["set", "colour", "red"], /there is no setting colour/],
      [["set", "web_cert_id", ""], /web_tls_mode self_signed needs web_cert_id/],
    ];
    for (const [args, sentence] of refused) {
      const said = await settings(...args);
      expect([args, said.code]).toEqual([args, 1]);
      expect(said.err).toMatch(sentence);
    }
    expect((await settings("set", "timezone")).code).toBe(2);
  });

  // rule settings.list.6
  test("what it wrote is in the audit log, an event and its deliveries, and in the panel's own certificate", async () => {
    if (how === "offline") await panel.start();
    const record = {
      key: "settings",
      entityId: "sub_domain",
      action: "update",
      via: "cli",
      actor: "command line",
      tokenId: 0,
    };
    const changes = await panel.ask("GET", "/api/changes?key=settings");
    expect(changes.body).toMatchObject([{ ...record, obj: { value: ["", "sub.example,*.w.example"] } }]);
    const raised = await panel.ask("GET", "/api/events/log?q=settings_changed");
    expect(raised.body).toMatchObject([
      { event: "panel.settings_changed", data: { setting: "sub_domain", actor: "command line" } },
    ]);
    expect((await panel.ask("GET", `/api/webhooks/${webhook}/deliveries`)).body).toMatchObject([
      { eventId: raised.body[0].id },
    ]);
    const shown = async () => (await panel.ask("GET", "/healthz")).names.toSorted();
    await expect.poll(shown).toEqual(["*.w.example", "panel.example", "sub.example"]);
  });
});

describe.each(dialects)("a panel that cannot listen on %s", (dialect) => {
  let panel: ListeningPanel;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_domain: "panel.example" });
  });
  afterAll(() => panel.dispose());

  // rule certificates.mode.5
  test("ends with a sentence that says what to do, and the command line does it", async () => {
    await panel.put("web_cert_file", join(panel.directory, "later.crt"));
    await panel.put("web_key_file", join(panel.directory, "later.key"));
    await panel.put("web_tls_mode", "files");
    await panel.stop();
    const serve = await signalbox(panel, "serve");
    expect(serve.code).toBe(1);
    expect(serve.err).toMatch(
      /web_cert_file: .*later\.crt does not exist: mend it, or run `signalbox settings set web_tls_mode self_signed`/,
    );
    expect(await signalbox(panel, "settings", "set", "web_tls_mode", "self_signed")).toMatchObject({ code: 0 });
    await panel.start();
    expect((await panel.ask("GET", "/healthz")).names).toEqual(["panel.example"]);
  });
});
