// Webhooks that are recorded as hearers of an event.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebhookRows } from "../../src/events/webhook.entity.ts";
import { lock } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { ADMIN, openPanel, OWNER, RESELLER, type Panel } from "./panel.ts";

describe.each(dialects)("audience on %s", (dialect) => {
  let panel: Panel;
  beforeEach(async () => {
    panel = await openPanel(dialect);
  });
  afterEach(() => panel.dispose());

  const url = "https://hook.example/";
  const heard = async (id: number): Promise<string[]> => (await panel.deliveries(id)).map(({ event }) => event);
  const raiseAll = async (): Promise<void> => {
    await panel.raise("user.created", "user:1", { userId: 1, adminId: RESELLER });
    await panel.raise("user.deleted", "user:2", { userId: 2, adminId: 0 });
    await panel.raise("node.connected", "node:1", { nodeId: 1 });
    await panel.raise("admin.login", "admin:3", { adminId: RESELLER });
    await panel.raise("panel.license_changed", "licence", {});
  };
  const all = ["user.created", "user.deleted", "node.connected", "admin.login", "panel.license_changed"];

  // rule events.audience.1
  test("the main admin's webhook hears everything that its filter names", async () => {
    const everything = await panel.webhook({ url });
    const families = await panel.webhook({ url, events: ["user.*", "panel.license_changed"] });
    const one = await panel.webhook({ url, events: ["node.connected"] });
    await raiseAll();
    expect(await heard(everything)).toEqual(all);
    expect(await heard(families)).toEqual(["user.created", "user.deleted", "panel.license_changed"]);
    expect(await heard(one)).toEqual(["node.connected"]);
  });

  // rule events.audience.3
  test("one about a single account hears only what names that account", async () => {
    const own = await panel.webhook({ url, ownOnly: true, adminId: RESELLER });
    await raiseAll();
    expect(await heard(own)).toEqual(["user.created", "admin.login"]);
  });

  // rule events.audience.2
  test("an admin's webhook hears what its role's scopes cover, a reseller's only what also names it, a stranger's nothing", async () => {
    const admins = await panel.webhook({ url, creatorId: ADMIN });
    const resellers = await panel.webhook({ url, creatorId: RESELLER });
    const gone = await panel.webhook({ url, creatorId: 99 });
    await raiseAll();
    expect(await heard(admins)).toEqual(["node.connected"]);
    expect(await heard(resellers)).toEqual(["user.created"]);
    expect(await heard(gone)).toEqual([]);
  });

  // rule events.audience.4
  test("one that another changed hears what both may; one made with less than its account reaches hears that much", async () => {
    const owners = await panel.webhook({ url, editorId: ADMIN });
    const admins = await panel.webhook({ url, creatorId: ADMIN, editorId: OWNER });
    const editorGone = await panel.webhook({ url, editorId: 99 });
    const narrow = await panel.webhook({ url, reach: ["nodes:read", "webhooks:read"] });
    const narrowest = await panel.webhook({ url, creatorId: ADMIN, reach: ["users:read"] });
    await raiseAll();
    expect([await heard(owners), await heard(admins), await heard(editorGone)]).toEqual([
      ["node.connected"],
      ["node.connected"],
      [],
    ]);
    expect([await heard(narrow), await heard(narrowest)]).toEqual([["node.connected"], []]);
  });

  // rule events.audience.6
  test("switched off it hears nothing, and the list follows every commit", async () => {
    const id = await panel.webhook({ url, enabled: false });
    await panel.raise("user.created", "user:1", { adminId: 0 });
    await panel.database.commits.submit({
      name: "enable",
      locks: [lock(WebhookRows, id)],
      decide: (draft) => draft.update(WebhookRows, id, { enabled: true }),
    });
    await panel.raise("user.renewed", "user:1", { adminId: 0 });
    expect(await heard(id)).toEqual(["user.renewed"]);
    await panel.database.commits.submit({
      name: "delete",
      locks: [],
      decide: (draft) => draft.delete(WebhookRows, id),
    });
    await panel.raise("user.deleted", "user:1", { adminId: 0 });
    expect(await heard(id)).toEqual(["user.renewed"]);
  });

  // rule events.audience.5
  test("a ping reaches the one webhook it names, past its filter", async () => {
    const pinged = await panel.webhook({ url, events: ["user.*"] });
    const other = await panel.webhook({ url, creatorId: OWNER });
    await panel.raise("panel.ping", `webhook:${pinged}`, { subscriberId: pinged, name: "hook", by: "root" });
    expect(await heard(pinged)).toEqual(["panel.ping"]);
    expect(await heard(other)).toEqual([]);
  });

  // rules events.catalogue.1, events.catalogue.4
  test("a change that fails raises nothing, and an event outside the catalogue fails its change", async () => {
    const id = await panel.webhook({ url });
    const failing = panel.database.commits.submit({
      name: "failing",
      locks: [],
      decide(draft) {
        panel.events.outbox.raise(draft, { event: "user.created", subject: "user:1", data: { adminId: 0 } });
        throw new Error("refused");
      },
    });
    await expect(failing).rejects.toThrow("refused");
    await expect(panel.raise("user.imagined", "user:1")).rejects.toThrow("user.imagined is not in the catalogue");
    expect(await heard(id)).toEqual([]);
  });
});
