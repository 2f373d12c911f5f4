// The webhook routes, over the real server.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { WebhookRows } from "../../src/events/webhook.entity.ts";
import { dialects } from "../database.ts";
import { openApi, type EventsApi } from "./api.ts";
import { ADMIN, openPanel, OWNER, RESELLER, type Panel } from "./panel.ts";
import { Receiver } from "./receiver.ts";

const Made = z.object({ id: z.number() });
const Listed = z.object({ items: z.array(z.record(z.string(), z.unknown())) });

describe.each(dialects)("webhook routes on %s", (dialect) => {
  let panel: Panel;
  let receiver: Receiver;
  let api: EventsApi;
  beforeEach(async () => {
    panel = await openPanel(dialect);
    receiver = await new Receiver().listen();
    api = await openApi(panel);
  });
  afterEach(async () => {
    await api.close();
    await panel.dispose();
    await receiver.close();
  });

  const create = async (body: object = {}, as = "root"): Promise<number> => {
    const made = await api.call("POST", "/webhooks", { name: "hook", url: receiver.url, ...body }, as);
    expect(made.status).toBe(200);
    return Made.parse(made.body).id;
  };
  const rows = async (path: string, as = "root") =>
    Listed.parse((await api.call("GET", path, undefined, as)).body).items;

  // rule events.webhook.1
  test("a webhook is created with its defaults, and its secret is never shown, stored or audited in the clear", async () => {
    const made = await api.call("POST", "/webhooks", {
      name: "crm",
      url: receiver.url,
      secret: "hush-hush",
      events: ["user.*", "user.*"],
      color: "red",
    });
    expect(made).toMatchObject({ status: 200 });
    const seconds = panel.clock.ms / 1000;
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: "crm",
      url: receiver.url,
      secretSet: true,
      events: ["user.*"],
      ownOnly: false,
      adminId: 0,
      enabled: true,
      lastStatus: 0,
      lastDeliveredAt: 0,
      pending: 0,
      failing: false,
      createdAt: seconds,
      updatedAt: seconds,
    });
    expect(await rows("/webhooks")).toEqual([made.body]);
    const stored = await panel.database.reads.find(WebhookRows, Made.parse(made.body).id);
    expect(stored?.secret).toMatch(/^s1\./);
    expect(JSON.stringify([stored, api.audits])).not.toContain("hush-hush");
    expect(api.audits).toMatchObject([{ key: "webhooks", action: "create", entityId: String(stored?.id) }]);
  });

  // rule events.webhook.2
  test("bad fields are named", async () => {
    const bad: [object, string][] = [
      [{ url: "" }, "url"],
      [{ url: "hook.example" }, "url"],
      [{ url: "ftp://hook.example/" }, "url"],
      [{ url: "https://hook.exam\tple/" }, "url"],
      [{ url: "https://hook.example/\n" }, "url"],
      [{ name: "" }, "name"],
      [{ events: ["user.imagined"] }, "events.0"],
      [{ events: ["*"] }, "events.0"],
      [{ ownOnly: "yes" }, "ownOnly"],
      [{ adminId: -1 }, "adminId"],
      [{ adminId: 77, ownOnly: true }, "adminId"],
    ];
    for (const [body, field] of bad) {
      expect(await api.call("POST", "/webhooks", { name: "hook", url: receiver.url, ...body })).toMatchObject({
        status: 400,
        body: { field },
      });
    }
    expect(await rows("/webhooks")).toEqual([]);
  });

  // rule events.webhook.3
  test("private targets and plain http are refused on write unless allowed; a host that does not resolve is accepted", async () => {
    panel.settings.allowPrivate = false;
    for (const url of [
      receiver.url,
      "https://127.0.0.1/",
      "https://localhost/",
      "https://[::1]/",
      "http://hook.invalid/",
    ]) {
      expect(await api.call("POST", "/webhooks", { name: "hook", url })).toMatchObject({
        status: 400,
        body: { field: "url" },
      });
    }
    const id = await create({ url: "https://hook.invalid/" });
    expect(await api.call("PUT", `/webhooks/${id}`, { url: "https://10.0.0.1/" })).toMatchObject({
      status: 400,
      body: { field: "url" },
    });
  });

  // rules events.webhook.1, http.body.4
  test("a PUT keeps what it leaves out and an empty secret, and moves updatedAt forward", async () => {
    const id = await create({ secret: "one", events: ["user.*"] });
    const before = await panel.database.reads.find(WebhookRows, id);
    const changed = await api.call("PUT", `/webhooks/${id}`, { name: "renamed", secret: "", enabled: false });
    expect(changed.body).toMatchObject({
      id,
      name: "renamed",
      secretSet: true,
      events: ["user.*"],
      enabled: false,
      updatedAt: panel.clock.ms / 1000 + 1,
    });
    const after = await panel.database.reads.find(WebhookRows, id);
    expect(after?.secret).toBe(before?.secret);
    expect(after?.url).toBe(receiver.url);
    panel.settings.allowPrivate = false;
    expect(await api.call("PUT", `/webhooks/${id}`, { url: receiver.url, enabled: false })).toMatchObject({
      status: 200,
    });
  });

  // rules events.audience.5, events.delivery.7
  test("a ping goes to one webhook past its filter; list and deliveries show how it went", async () => {
    const id = await create({ events: ["user.*"], secret: "x" });
    await create({ url: `${receiver.url}&other` });
    expect(await api.call("POST", `/webhooks/${id}/ping`)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await rows("/webhooks")).toMatchObject([{ id, pending: 1 }, { pending: 0 }]);
    await panel.events.dispatcher.poll();
    expect(receiver.received.map(({ envelope }) => envelope)).toMatchObject([
      { event: "panel.ping", data: { subscriberId: id, name: "hook", by: "root" } },
    ]);
    const seconds = panel.clock.ms / 1000;
    expect(await rows("/webhooks")).toMatchObject([
      { id, pending: 0, failing: false, lastStatus: 200, lastDeliveredAt: seconds },
      {},
    ]);
    expect(await rows(`/webhooks/${id}/deliveries`)).toEqual([
      {
        id: Number(receiver.received[0]?.headers["x-panel-delivery"]),
        eventId: receiver.received[0]?.envelope.id,
        event: "panel.ping",
        state: "delivered",
        attempts: 1,
        lastStatus: 200,
        lastError: "",
        lastFailure: null,
        nextAttemptAt: 0,
        createdAt: seconds,
        deliveredAt: seconds,
      },
    ]);
  });

  // rule events.envelope.3
  test("failing shows, and a re-send repeats the same delivery under its id", async () => {
    receiver.answer = 410;
    const id = await create();
    await panel.raise("user.created", "user:1", { userId: 1, adminId: 0 });
    await panel.events.dispatcher.poll();
    expect(await rows("/webhooks")).toMatchObject([{ failing: true, lastStatus: 410, pending: 1, lastDeliveredAt: 0 }]);
    const [failed] = await rows(`/webhooks/${id}/deliveries?state=pending`);
    expect(failed).toMatchObject({
      state: "pending",
      attempts: 1,
      lastError: "HTTP 410",
      lastFailure: { code: "status", values: [410] },
      nextAttemptAt: panel.clock.ms / 1000 + 10,
    });

    receiver.answer = 200;
    for (let times = 1; times <= 2; times++) {
      const path = `/webhooks/${id}/deliveries/${String(failed?.["id"])}/resend`;
      expect(await api.call("POST", path)).toMatchObject({ status: 200, body: { ok: true } });
      await panel.events.dispatcher.poll();
      expect(await rows(`/webhooks/${id}/deliveries`)).toMatchObject([
        { id: failed?.["id"], state: "delivered", attempts: 1 },
      ]);
    }
    expect(receiver.received).toHaveLength(3);
    expect(
      new Set(receiver.received.map(({ headers, body }) => `${String(headers["x-panel-delivery"])} ${body.toString()}`))
        .size,
    ).toBe(1);
    expect(await api.call("POST", `/webhooks/${id}/deliveries/9999/resend`)).toMatchObject({ status: 404 });
    const other = await create();
    expect(await api.call("POST", `/webhooks/${other}/deliveries/${String(failed?.["id"])}/resend`)).toMatchObject({
      status: 404,
    });
  });

  // rules events.audience.5, events.audience.6
  test("switched off, ping is 409 and pending deliveries wait; switched on again they are sent", async () => {
    const id = await create();
    await panel.raise("user.created", "user:1", { userId: 1, adminId: 0 });
    await api.call("PUT", `/webhooks/${id}`, { enabled: false });
    await panel.events.dispatcher.poll();
    expect(await api.call("POST", `/webhooks/${id}/ping`)).toMatchObject({ status: 409 });
    expect(receiver.received).toHaveLength(0);
    await api.call("PUT", `/webhooks/${id}`, { enabled: true });
    await panel.events.dispatcher.poll();
    expect(receiver.names).toEqual(["user.created"]);
  });

  // rule events.webhook.6
  test("deleting takes the deliveries along", async () => {
    const id = await create();
    await panel.raise("user.created", "user:1", { userId: 1, adminId: 0 });
    expect(await api.call("DELETE", `/webhooks/${id}`)).toMatchObject({ status: 200, body: { ok: true } });
    await panel.events.dispatcher.poll();
    expect(receiver.received).toHaveLength(0);
    expect(await panel.deliveries(id)).toEqual([]);
    expect(await api.call("DELETE", `/webhooks/${id}`)).toMatchObject({ status: 404 });
  });

  test("scopes: reading needs webhooks:read, changing webhooks:write", async () => {
    const id = await create();
    expect(await api.call("GET", "/webhooks", undefined, "reader")).toMatchObject({ status: 200 });
    expect(await api.call("POST", `/webhooks/${id}/ping`, undefined, "reader")).toMatchObject({ status: 403 });
  });

  // rule events.webhook.4
  test("a reseller's webhook is about itself alone, and others' are 404 to it", async () => {
    const foreign = await create();
    const own = await create({ ownOnly: false, adminId: OWNER }, "reseller");
    expect(await rows("/webhooks", "reseller")).toMatchObject([{ id: own, ownOnly: true, adminId: RESELLER }]);
    expect(await api.call("GET", `/webhooks/${own}`, undefined, "reseller")).toMatchObject({
      status: 200,
      body: { id: own, secretSet: false, pending: 0 },
    });
    for (const path of [`/webhooks/${foreign}`, "/webhooks/9999"])
      expect(await api.call("GET", path, undefined, "reseller")).toMatchObject({ status: 404 });
    for (const path of [`/webhooks/${foreign}`, "/webhooks/9999"])
      expect(await api.call("PUT", path, {}, "reseller")).toMatchObject({ status: 404 });
    expect(await api.call("GET", `/webhooks/${foreign}/deliveries`, undefined, "reseller")).toMatchObject({
      status: 404,
    });
  });

  // rule events.webhook.5
  test("nobody writes a webhook that hears more than the caller may: not another's, nor with a lesser token the account's own", async () => {
    const id = await create();
    await panel.raise("user.created", "user:1", { userId: 1, adminId: 0 });
    const [delivery] = await rows(`/webhooks/${id}/deliveries`);
    for (const as of ["admin", "narrow"]) {
      expect(await api.call("PUT", `/webhooks/${id}`, { url: `${receiver.url}&mine` }, as)).toMatchObject({
        status: 403,
      });
      expect(await api.call("DELETE", `/webhooks/${id}`, undefined, as)).toMatchObject({ status: 403 });
      expect(await api.call("POST", `/webhooks/${id}/ping`, undefined, as)).toMatchObject({ status: 403 });
      expect(
        await api.call("POST", `/webhooks/${id}/deliveries/${String(delivery?.["id"])}/resend`, undefined, as),
      ).toMatchObject({
        status: 403,
      });
    }
    expect(await rows("/webhooks")).toMatchObject([{ id, url: receiver.url, pending: 1 }]);
  });

  // rule events.webhook.5
  test("a webhook of a lesser account stays with it when a main admin changes it, and is deleted by who covers its account", async () => {
    const id = await create({}, "admin");
    expect(await api.call("PUT", `/webhooks/${id}`, { name: "mended" })).toMatchObject({ status: 200 });
    expect(await panel.database.reads.find(WebhookRows, id)).toMatchObject({
      creatorId: ADMIN,
      editorId: OWNER,
      reach: null,
    });
    await panel.raise("user.created", "user:1", { userId: 1, adminId: 0 });
    await panel.raise("node.connected", "node:1", {});
    await panel.events.dispatcher.poll();
    expect(receiver.names).toEqual(["node.connected"]);
    expect(await api.call("PUT", `/webhooks/${id}`, { name: "own" }, "admin")).toMatchObject({ status: 200 });
    expect(await panel.database.reads.find(WebhookRows, id)).toMatchObject({ creatorId: ADMIN, editorId: 0 });
    expect(await api.call("DELETE", `/webhooks/${id}`)).toMatchObject({ status: 200 });
  });

  // rule events.audience.4
  test("what a lesser token makes hears what that token reaches, whoever changes it later", async () => {
    const id = await create({}, "narrow");
    expect(await api.call("PUT", `/webhooks/${id}`, { name: "looked at" })).toMatchObject({ status: 200 });
    await panel.raise("user.created", "user:1", { userId: 1, adminId: 0 });
    await panel.raise("panel.ip_banned", "ip:1", {});
    await panel.events.dispatcher.poll();
    expect(receiver.names).toEqual([]);
    expect(await api.call("DELETE", `/webhooks/${id}`, undefined, "narrow")).toMatchObject({ status: 200 });
  });
});
