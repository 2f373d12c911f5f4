// The list of users: every filter and sort, and the status function against its SQL twin.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statusOf } from "../../src/accounts/testing.ts";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";

describe.each(dialects)("the list of users on %s", (dialect) => {
  let panel: TestPanel;
  const ids: Record<string, number> = {};
  const names = async (query: string): Promise<string[]> => {
    const { items, total } = await panel.ok("GET", `/users?${query}`);
    expect(total).toBe(items.length);
    return items.map((user: { name: string }) => user.name);
  };

  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    const inbound = await panel.ok("POST", "/inbounds", { tag: "in", type: "vless", config: { listen_port: 1 } });
    const template = await panel.ok("POST", "/templates", { name: "with", inboundIds: [inbound.id] });
    const empty = await panel.ok("POST", "/templates", { name: "without" });
    Object.assign(ids, { inbound: inbound.id, template: template.id, empty: empty.id });
    panel.nodeTemplates.set(1, template.id);
    panel.nodeTemplates.set(2, 0);
    const bodies = [
      {
        name: "a-active",
        volume: 1000,
        templateIds: [template.id],
        contact: { email: "Ali@Example.com", phone: "+98 1" },
      },
      { name: "b-off", enable: false, group: "gold", templateIds: [empty.id] },
      { name: "c-pending", duration: DAY, templateIds: [], autoReset: true, resetDays: 2 },
      { name: "d-expired", expiry: START + DAY, templateIds: [template.id, empty.id] },
      { name: "e-limited", volume: 10, desc: "Needle" },
      { name: "f-later", expiry: START + 9 * DAY, group: "gold", adminId: 3 },
    ];
    for (const body of bodies) ids[body.name] = (await panel.ok("POST", "/users", body)).id;
    // The supervisor is not started: what is due stays as it is, so that every status can be seen.
    await panel.advance(2 * DAY);
    await panel.traffic(ids["a-active"] ?? 0, 100, 0);
    await panel.advance(60);
    await panel.traffic(ids["e-limited"] ?? 0, 5, 50);
    const { commits, reads } = panel.database;
    await commits.execute({
      name: "test.last",
      statements: [
        reads.statement(
          "last",
          sql`update user_usage set last_inbound_id = ${inbound.id} where id = ${ids["a-active"]}`,
        ),
      ],
    });
  });
  afterAll(() => panel.dispose());

  // rules users.status.2, users.list.1, users.list.2
  test.each([
    ["status=active", ["a-active", "f-later"]],
    ["status=disabled", ["b-off"]],
    ["status=pending,expired", ["c-pending", "d-expired"]],
    ["status=limited", ["e-limited"]],
    ["reason=manual", ["b-off"]],
    ["reason=volume,expiry", []],
    ["online=true", ["a-active", "e-limited"]],
    ["online=false", ["b-off", "c-pending", "d-expired", "f-later"]],
    ["group=gold", ["b-off", "f-later"]],
    ["admin_id=3", ["f-later"]],
    ["expires_after=1", ["d-expired", "f-later"]],
    [`expires_before=${START + DAY}`, ["d-expired"]],
    ["expiry=never", ["a-active", "b-off", "c-pending", "e-limited"]],
    ["pending=true", ["c-pending"]],
    ["used_min=55&used_max=55", ["e-limited"]],
    ["auto_reset=true", ["c-pending"]],
    ["sub_fetched=true", []],
    ["contact_email=ali@example.COM", ["a-active"]],
    ["contact_phone=%2B98%201", ["a-active"]],
    ["contact_telegram_id=x", []],
    ["node_id=1", ["a-active", "d-expired", "e-limited", "f-later"]],
    ["node_id=2", []],
    ["protocol=vless", ["a-active", "d-expired", "e-limited", "f-later"]],
    ["protocol=trojan", []],
    ["q=needle", ["e-limited"]],
    ["q=example.com", ["a-active"]],
    ["q=telegram", []],
    ["group=gold&status=active", ["f-later"]],
    ["sort=name&order=desc", ["f-later", "e-limited", "d-expired", "c-pending", "b-off", "a-active"]],
    ["sort=usage&order=desc&used_min=1", ["a-active", "e-limited"]],
    ["sort=remaining", ["e-limited", "a-active", "b-off", "c-pending", "d-expired", "f-later"]],
    ["sort=expiry&order=desc", ["f-later", "d-expired", "e-limited", "c-pending", "b-off", "a-active"]],
    ["sort=expiry", ["d-expired", "f-later", "a-active", "b-off", "c-pending", "e-limited"]],
    ["sort=online_at", ["a-active", "e-limited", "b-off", "c-pending", "d-expired", "f-later"]],
  ])("%s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  // rule users.list.1
  test("members of a template and of an inbound are those who name it and those of all", async () => {
    expect(await names(`template_id=${ids["template"]}`)).toEqual(["a-active", "d-expired", "e-limited", "f-later"]);
    expect(await names(`template_id=${ids["empty"]}`)).toEqual(["b-off", "d-expired", "e-limited", "f-later"]);
    expect(await names(`inbound_id=${ids["inbound"]}`)).toEqual(["a-active", "d-expired", "e-limited", "f-later"]);
  });

  // rule users.list.1
  test.each([
    "status=good",
    "reason=bored",
    "order=up",
    "sort=color",
    "node_id=0",
    "used_min=-1",
    "online=maybe",
    "expiry=soon",
    "limit=0",
    "limit=",
  ])("%s is 400", async (query) => {
    expect((await panel.call("GET", `/users?${query}`)).status).toBe(400);
  });

  // rule users.list.1
  test("an unknown node is 404", async () => {
    expect((await panel.call("GET", "/users?node_id=77")).status).toBe(404);
  });

  // rule users.list.4
  test("the summary counts by status and group", async () => {
    expect(await panel.ok("GET", "/users/summary")).toEqual({
      total: 6,
      active: 2,
      disabled: 1,
      pending: 1,
      expired: 1,
      limited: 1,
      online: 2,
      groups: [{ group: "gold", count: 2 }],
    });
  });

  test("the summary tells the reasons where it is asked for them", async () => {
    expect((await panel.ok("GET", "/users/summary?by=reason")).reasons).toEqual([{ reason: "manual", count: 1 }]);
    expect((await panel.call("GET", "/users/summary?by=colour")).status).toBe(400);
  });

  // rule users.list.3
  test("a search finds by the whole UUID and by the whole token, not by a part of them", async () => {
    const { config, subToken } = await panel.ok("GET", `/users/${ids["b-off"]}`);
    expect(await names(`q=${config.uuid.toUpperCase()}`)).toEqual(["b-off"]);
    expect(await names(`q=${subToken}`)).toEqual(["b-off"]);
    expect(await names(`q=${config.uuid.slice(1)}`)).toEqual([]);
    expect(await names(`q=${subToken.slice(1)}`)).toEqual([]);
  });

  test("the inbound of the last traffic is answered by its tag", async () => {
    expect((await panel.ok("GET", "/users?q=a-active")).items[0].lastInbound).toBe("in");
    expect((await panel.ok("GET", `/users/${ids["a-active"]}`)).lastInbound).toBe("in");
  });

  // rule users.status.1
  test("status and its SQL twin agree on every combination", async () => {
    const { commits, reads } = panel.database;
    const now = Math.floor(panel.clock.now() / 1000);
    const probe = await panel.ok("POST", "/users", { name: "probe" });
    // As whoever counts usage leaves it behind, and as a date does that has passed: its actor is to look.
    await commits.execute({
      name: "test.due",
      statements: [
        reads.statement(
          "due",
          sql`insert into timers (id, kind, actor_id, name, event, due_at) values (${`user:${probe.id}:due`}, 'user', ${probe.id}, 'due', 'due', ${now * 1000})`,
        ),
      ],
    });
    for (const enable of [true, false])
      for (const duration of [0, 5])
        for (const activatedAt of [0, 5])
          for (const expiry of [0, now - 1, now, now + 1])
            for (const volume of [0, 10])
              for (const up of [4, 5]) {
                await commits.execute({
                  name: "test.probe",
                  statements: [
                    reads.statement(
                      "row",
                      sql`update users set mstate = ${enable ? (duration > 0 && activatedAt === 0 ? "enabled.waiting" : "enabled.started") : "disabled.manual"},
                        enable = ${enable}, duration = ${duration}, activated_at = ${activatedAt}, expiry = ${expiry}, volume = ${volume} where id = ${probe.id}`,
                    ),
                    reads.statement("usage", sql`update user_usage set up = ${up}, down = 5 where id = ${probe.id}`),
                  ],
                });
                const expected = statusOf({ enable, duration, activatedAt, expiry, volume }, { up, down: 5 }, now);
                expect(await names(`status=${expected}&q=probe`)).toEqual(["probe"]);
              }
    await panel.ok("DELETE", `/users/${probe.id}`);
  });
});
