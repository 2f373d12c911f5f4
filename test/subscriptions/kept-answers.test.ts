// Answers that are kept for clients that poll: whatever an answer is made of, the next one has it, in every format,
// over a connection and by the framework's routes. What it should be is the preview's, which is made afresh each time.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ENTRY_FORMAT_NAMES } from "../../src/subscriptions/documents/limits.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "../accounts/panel.ts";

const FORMATS = [...ENTRY_FORMAT_NAMES, "info"] as const;
/** What clients are told by; two of one format each, where the client makes a difference. */
const CLIENTS = ["v2rayN/7", "Shadowrocket/2070", "SFA/1.11.0", "SFA/1.12.3"];
const DAY = 86_400;

describe.each(dialects)("answers that are kept on %s", (dialect) => {
  let panel: TestPanel;
  const node = (id: number, templateId: number, rest: object = {}) => ({
    id,
    templateId,
    name: `n${id}`,
    remark: "",
    address: `192.0.2.${id}`,
    linkAddress: "",
    vision: true,
    multiplex: true,
    ...rest,
  });

  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
  });
  afterEach(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  // rules subscriptions.entry.6, subscriptions.entry.8, subscriptions.key.7
  test("each change is in the next answer, and nothing else is", async () => {
    const make = async (tag: string, port: number) =>
      (
        await panel.ok("POST", "/inbounds", {
          tag,
          type: "vless",
          config: { listen_port: port, transport: { type: "ws", path: "/a" } },
        })
      ).id;
    const [one, two] = [await make("one", 1001), await make("two", 1002)];
    const templateId = (await panel.ok("POST", "/templates", { name: "t", inboundIds: [one] })).id;
    const other = (await panel.ok("POST", "/templates", { name: "other", inboundIds: [two] })).id;
    const front = (await panel.ok("POST", "/fronts", { name: "cdn", domain: "cdn.example" })).id;
    panel.entryNodes = [node(1, templateId)];
    const user = await panel.ok("POST", "/users", { name: "ali", templateIds: [templateId], volume: 2 ** 30 });
    const path = `/users/${user.id}`;

    // An address may ask 120 times in a minute.
    let asked = 0;
    const kept = async () => {
      const remoteAddress = `127.0.1.${++asked}`;
      const { subId } = await panel.ok("GET", path);
      const answers = [];
      let turn = 0;
      for (const format of FORMATS)
        for (const client of CLIENTS) {
          const headers = { host: "panel.example", "user-agent": client };
          const url = `/sub/${subId}/${format}`;
          // Each form of an answer over a connection, and by the framework's routes in the next round.
          const { body, headers: told } =
            (asked + turn++) % 2 === 0
              ? await panel.ask(url, headers, "GET", remoteAddress)
              : await panel.api.app.inject({ url, headers, remoteAddress });
          const query = new URLSearchParams({ format, userAgent: client });
          const fresh = await panel.ok("GET", `${path}/sub/preview?${query.toString()}`);
          expect([format, client, body]).toEqual([format, client, fresh.body]);
          for (const [name, value] of Object.entries(fresh.headers as Record<string, string>))
            expect([format, name, told[name.toLowerCase()]]).toEqual([format, name, value]);
          answers.push(body, told["subscription-userinfo"], told["profile-title"], told["announce"]);
        }
      return answers;
    };

    const set = (key: string, value: string) => () => void panel.settings.set(key, value);
    const patch = (body: object) => () => panel.ok("PATCH", path, body);
    const config = { listen_port: 1003, transport: { type: "ws", path: "/b" } };
    const now = Math.floor(panel.clock.now() / 1000);
    const changes: Readonly<Record<string, () => unknown>> = {
      "the account's remark": patch({ remark: "gold" }),
      "its volume": patch({ volume: 2 ** 31 }),
      "its date": patch({ expiry: now + 3 * DAY }),
      "its credentials": () => panel.ok("POST", `${path}/sub/rotate`, { credentials: true }),
      "a template more, which a node runs": () => {
        panel.entryNodes = [node(1, templateId), node(2, other)];
        return panel.ok("PATCH", path, { templateIds: [templateId, other] });
      },
      "a node's address": () =>
        void (panel.entryNodes = [node(1, templateId, { address: "192.0.2.9" }), node(2, other)]),
      "a node's engine": () =>
        void (panel.entryNodes = [node(1, templateId, { multiplex: false, remark: "new" }), node(2, other)]),
      "labels of a node": () =>
        void (panel.entryNodes = [node(1, templateId, { linkAddress: "A|a.example,b.example" }), node(2, other)]),
      "an inbound's fragment": () => panel.ok("PUT", `/inbounds/${one}`, { tag: "one", type: "vless", config }),
      "an inbound's remark": () =>
        panel.ok("PUT", `/inbounds/${one}`, { tag: "one", type: "vless", config, remark: "{node} {days}" }),
      "a front": () => panel.ok("PUT", `/inbounds/${one}/fronts`, { frontIds: [front] }),
      "the front's domain": () => panel.ok("PUT", `/fronts/${front}`, { name: "cdn", domain: "two.example" }),
      "the front alone": () =>
        panel.ok("PUT", `/inbounds/${one}`, { tag: "one", type: "vless", config, frontedOnly: true }),
      "the front switched off": () =>
        panel.ok("PUT", `/fronts/${front}`, { name: "cdn", domain: "two.example", enabled: false }),
      "inbounds of its own": patch({ inboundIds: [two] }),
      "a template's inbounds": () => panel.ok("PUT", `/templates/${other}`, { name: "other", inboundIds: [one] }),
      "every inbound of its templates": patch({ inboundIds: null }),
      "the title": set("sub_title", "North Star"),
      "the announcement": set("sub_announce", "New servers"),
      "how entries are named": set("sub_entry_name", "{inbound} · {left}"),
      "a day that passes": () => panel.clock.advance(DAY * 1000),
      "the switch": patch({ enable: false }),
      "the language of what is said": set("sub_theme", JSON.stringify({ language: "ru" })),
      "the placeholder": set("sub_placeholder", "false"),
      "the switch, on again": patch({ enable: true }),
      "the end": () => panel.clock.advance(3 * DAY * 1000),
    };
    let before = await kept();
    expect(await kept()).toEqual(before);
    for (const [name, change] of Object.entries(changes)) {
      await change();
      const after = await kept();
      expect(JSON.stringify(after) === JSON.stringify(before), name).toBe(false);
      before = after;
    }
  });
});
