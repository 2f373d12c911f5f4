// A name that was stored before the rule, or is no more than unlucky, stays one name wherever it is written: headers,
// file names, links and documents of a subscription.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserRows } from "../../src/accounts/index.ts";
import { type EntryNode } from "../../src/subscriptions/testing.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

/** As an older version took them. */
const NAMES = [
  "invoice\u202egnp.exe",
  "a\r\nSet-Cookie: panel_session=x",
  "\u001b]0;owned\u0007\u001b[2J",
  "../../../etc/passwd",
  '"; filename="evil.html',
  "<script>alert(1)</script>",
  "vless://x@evil.example:443#y\nvless://x@evil.example:443#z",
  "می\u200cخواهم",
];
const TURNS_OR_CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe.each(dialects)("stored names on %s", (dialect) => {
  let panel: TestPanel;
  const users: { id: number; subId: string; name: string }[] = [];
  const get = (path: string) => panel.api.app.inject({ method: "GET", url: path, headers: { host: "panel.example" } });

  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    const inbound = await panel.ok("POST", "/inbounds", {
      tag: "in",
      type: "vless",
      config: { listen_port: 443 },
      remark: "{user} on {node}",
    });
    const { id: templateId } = await panel.ok("POST", "/templates", { name: "t", inboundIds: [inbound.id] });
    for (const name of NAMES) users.push({ ...(await panel.ok("POST", "/users", { name: `n${users.length}` })), name });
    await panel.database.commits.submit({
      name: "older",
      locks: [],
      decide(draft) {
        draft.findAll(
          UserRows,
          users.map(({ id }) => id),
        );
        for (const { id, name } of users) draft.update(UserRows, id, { name, remark: name, groupLabel: name });
      },
    });
    const node: EntryNode = {
      id: 1,
      templateId,
      name: NAMES.join(""),
      remark: "",
      address: "192.0.2.1",
      linkAddress: "",
      vision: true,
      multiplex: true,
    };
    panel.entryNodes = [node];
  });
  afterAll(() => panel.dispose());

  // rule subscriptions.header.3
  test("headers stay single ASCII lines, the file's name names no other file, the title reads forward", async () => {
    for (const { subId } of users) {
      for (const format of ["links", "base64", "singbox", "xray", "info"]) {
        const { headers, statusCode } = await get(`/sub/${subId}/${format}`);
        expect(statusCode).toBe(200);
        for (const value of Object.values(headers)) expect(String(value)).toMatch(/^[\x20-\x7e]*$/);
        expect(headers["set-cookie"]).toBeUndefined();
        const title = Buffer.from(String(headers["profile-title"]).slice("base64:".length), "base64").toString("utf8");
        expect(title).not.toMatch(TURNS_OR_CONTROLS);
        if (format === "info") continue;
        const disposition = /^attachment; filename="([^"\\/;%]*)"; filename\*=UTF-8''([A-Za-z0-9%._~!-]+)$/.exec(
          String(headers["content-disposition"]),
        );
        expect(decodeURIComponent(disposition?.[2] ?? "/")).not.toMatch(/[/\\\p{Cc}\u202a-\u202e]/u);
      }
    }
  });

  test("each account has the one entry that it has, under a name that is one line", async () => {
    for (const { subId } of users) {
      const lines = (await get(`/sub/${subId}/links`)).body.split("\n").filter((each) => each !== "");
      expect(lines).toHaveLength(1);
      const link = new URL(lines[0] ?? "");
      expect([link.protocol, link.hostname]).toEqual(["vless:", "192.0.2.1"]);
      expect(decodeURIComponent(link.hash)).not.toMatch(TURNS_OR_CONTROLS);
      const { outbounds } = JSON.parse((await get(`/sub/${subId}/singbox`)).body) as {
        outbounds: { type: string; tag: string }[];
      };
      const [entry] = outbounds.filter(({ type }) => type === "vless");
      expect(entry?.tag).not.toMatch(TURNS_OR_CONTROLS);
    }
  });

  // rule http.body.3
  test("they are read as they are, and their other fields are edited", async () => {
    for (const { id, name } of users) {
      expect((await panel.ok("GET", `/users/${id}`)).name).toBe(name);
      expect(await panel.ok("PATCH", `/users/${id}`, { volume: 7 })).toMatchObject({ name, remark: name, volume: 7 });
    }
  });
});
