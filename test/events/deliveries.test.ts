// Looking into deliveries: what was sent and what came back, to those who may see it, and sending many again.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openApi, type EventsApi } from "./api.ts";
import { ADMIN, openPanel, OWNER, RESELLER, type Panel } from "./panel.ts";
import { Receiver } from "./receiver.ts";

describe.each(dialects)("deliveries on %s", (dialect) => {
  let panel: Panel;
  let api: EventsApi;
  let receiver: Receiver;
  let hook: number;
  beforeEach(async () => {
    panel = await openPanel(dialect);
    api = await openApi(panel);
    receiver = await new Receiver().listen();
    hook = await panel.webhook({ url: receiver.url }, "s3cret");
  });
  afterEach(async () => {
    await api.close();
    await panel.dispose();
    await receiver.close();
  });

  const raise = async (subject = "user:1", event = "user.created"): Promise<number> => {
    await panel.raise(event, subject, { userId: 1, name: "anna", adminId: 0 });
    await panel.events.dispatcher.poll();
    return (await panel.deliveries(hook)).at(-1)?.id ?? 0;
  };
  const detail = async (id: number, as = "root") =>
    (await api.call("GET", `/webhooks/${hook}/deliveries/${id}`, undefined, as)).body;
  const resend = (body: object, as = "root") => api.call("POST", `/webhooks/${hook}/deliveries/resend`, body, as);

  // rule events.resend.1
  test("one delivery says what was sent and what came back, within bounds and without what is secret", async () => {
    receiver.answer = (_got, response) => {
      const headers = Object.fromEntries(
        Array.from({ length: 60 }, (_, each) => [`x-${each}`, "v".repeat(600 / (each + 1))]),
      );
      response.writeHead(418, { ...headers, "set-cookie": "session=theirs" }).end(`no\u0000<b>${"é".repeat(9000)}`);
    };
    const id = await raise();
    const shown = await detail(id);
    expect(shown).toMatchObject({
      id,
      state: "pending",
      lastStatus: 418,
      request: {
        headers: {
          "content-type": "application/json",
          "x-panel-event": "user.created",
          "x-panel-delivery": String(id),
          "x-panel-signature": `t=${panel.clock.ms / 1000},v1=[redacted]`,
        },
        body: String(receiver.received[0]?.body),
      },
      response: { status: 418, ms: expect.any(Number), body: expect.stringMatching(/^no\ufffd<b>é+/) },
      withheld: false,
    });
    const { response } = shown as { response: { headers: Record<string, string>; body: string } };
    expect(Buffer.byteLength(response.body)).toBeLessThanOrEqual(4100);
    expect(Object.keys(response.headers)).toHaveLength(40);
    expect(response.headers["x-0"]).toHaveLength(512);
    expect(JSON.stringify(shown)).not.toMatch(/theirs|s3cret/);
  });

  // rules events.resend.1, events.resend.3
  test("an answer counts by its head; what got none says so; before the first attempt there is what will be sent", async () => {
    receiver.answer = (_got, response) => void response.writeHead(202).write("so far");
    expect(await detail(await raise())).toMatchObject({
      state: "delivered",
      response: { status: 202, body: "so far" },
    });
    receiver.answer = (_got, response) => void response.destroy();
    expect(await detail(await raise("user:2"))).toMatchObject({ lastStatus: 0, response: null, withheld: false });
    await panel.raise("user.created", "user:3", { userId: 3, name: "b", adminId: 0 });
    const unsent = (await panel.deliveries(hook)).at(-1)?.id ?? 0;
    expect(await detail(unsent)).toMatchObject({
      attempts: 0,
      request: { headers: expect.not.objectContaining({ "x-panel-signature": expect.anything() }) },
      response: null,
    });
  });

  // rule events.resend.2
  test("what a caller may not hear is withheld; answers are main admins' while private targets are permitted", async () => {
    receiver.answer = (_got, response) => void response.writeHead(500).end("inner service");
    const users = await raise();
    const nodes = await raise("node:1", "node.connected");
    const body = { status: 500, headers: {}, body: "", ms: expect.any(Number) };
    expect(await detail(users, "admin")).toMatchObject({ request: null, response: body, withheld: true });
    expect(await detail(nodes, "admin")).toMatchObject({
      request: { body: expect.stringContaining("node.connected") },
      response: body,
      withheld: true,
    });
    panel.settings.allowPrivate = false;
    expect(await detail(nodes, "admin")).toMatchObject({ response: { body: "inner service" }, withheld: false });
    expect(await detail(users, "admin")).toMatchObject({ request: null, response: { body: "" }, withheld: true });
    expect(await api.call("GET", `/webhooks/${hook}/deliveries/${users}`, undefined, "reseller")).toMatchObject({
      status: 404,
    });
    const other = await panel.webhook({ url: receiver.url, creatorId: RESELLER, ownOnly: true, adminId: RESELLER });
    expect(await api.call("GET", `/webhooks/${other}/deliveries/${users}`)).toMatchObject({ status: 404 });
  });

  // rule events.resend.4
  test("many are sent again, by their ids or by their state, and of this webhook alone", async () => {
    receiver.answer = 500;
    const other = await panel.webhook({ url: receiver.url });
    const ids = [await raise("user:1"), await raise("user:2"), await raise("user:3")];
    const [foreign] = await panel.deliveries(other);
    expect((await resend({ ids: [ids[0], ids[0], foreign?.id, 999_999] })).body).toEqual({ queued: 1, more: false });
    expect((await panel.deliveries(hook)).map(({ attempts }) => attempts)).toEqual([0, 1, 1]);
    expect((await panel.deliveries(other))[0]).toMatchObject({ attempts: 1 });
    // One is due already; the other two wait for their next attempt.
    expect((await resend({ state: "pending" })).body).toEqual({ queued: 2, more: false });
    receiver.answer = 200;
    await panel.events.dispatcher.poll();
    expect((await panel.deliveries(hook)).map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
    expect((await resend({ state: "dead" })).body).toEqual({ queued: 0, more: false });
    expect((await resend({ state: "delivered" })).body).toEqual({ queued: 3, more: false });
    expect(api.audits.at(-1)).toMatchObject({ action: "resend", obj: { state: "delivered", queued: 3 } });
  });

  // rule events.resend.4
  test("not both, not neither, not of one that is off or that hears more than the caller", async () => {
    for (const body of [{}, { ids: [1], state: "dead" }, { ids: [] }, { state: "lost" }])
      expect((await resend(body)).status, JSON.stringify(body)).toBe(400);
    expect((await resend({ state: "dead" }, "admin")).status).toBe(403);
    expect((await resend({ state: "dead" }, "reseller")).status).toBe(404);
    const off = await panel.webhook({ url: receiver.url, enabled: false, creatorId: ADMIN, editorId: OWNER });
    expect(await api.call("POST", `/webhooks/${off}/deliveries/resend`, { state: "dead" })).toMatchObject({
      status: 409,
    });
  });
});
