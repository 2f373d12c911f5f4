// `signalbox users`: accounts from the command line, beside a panel and without one, on both databases; what the routes
// say, refuse, record and tell.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { users } from "../../src/cli/users.cli.ts";
import { userIdOf } from "../../src/cli/users/asked.ts";
import { sql } from "../../src/db/index.ts";
import { DepartureRows } from "../../src/pool/departure.entity.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { hasTerminal, onTerminal, signalbox } from "./terminal.ts";

const CLI = { via: "cli", actor: "command line", adminId: 0, tokenId: 0, ip: "" };
const DAY = 86_400;
const now = () => Math.floor(Date.now() / 1000);

describe.each(dialects)("users from the command line on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const run = (...args: readonly string[]) => signalbox(panel, "users", ...args);
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await panel.call(method, `/api/v1${path}`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const make = (name: string, fields: object = {}) => ok("POST", "/users", { name, ...fields });
  const user = (id: number) => ok("GET", `/users/${id}`);
  const recorded = async (id: number) =>
    (await ok("GET", `/changes?key=users&entityId=${id}`)).items.filter(
      ({ action }: { action: string }) => action !== "create",
    );
  const told = async (id: number) =>
    (await ok("GET", `/events/log?entity=user:${id}`)).items.map(({ event }: { event: string }) => event);

  // rule process.command.5
  test("a pipe gets what the API answers; one account comes with its verdict", async () => {
    const ada = await make("ada", { group: "first" });
    await make("bo", { enable: false });
    const listed = await run("list", "--status", "disabled,active", "--sort", "name", "--reverse", "--limit", "5");
    const page = await ok("GET", "/users?status=disabled,active&sort=name&order=desc&limit=5");
    expect([listed.code, JSON.parse(listed.out)]).toEqual([0, page]);
    expect(JSON.parse((await run("list", "--search", "first")).out)).toMatchObject({ items: [{ id: ada.id }] });
    const shown = await run("show", "ada");
    const verdict = await ok("GET", `/users/${ada.id}/verdict`);
    expect([shown.code, JSON.parse(shown.out)]).toEqual([0, { ...(await user(ada.id)), verdict }]);
    expect(verdict.checks.length).toBeGreaterThan(10);
  });

  // rule process.command.6
  test("an account is named by its id, its whole name, its link or a key in it, and by nothing else", async () => {
    const one = await make("zoe the first", { subId: "zoe-link" });
    const other = await make(String(one.id));
    // The API itself, without a process for each.
    const source = {
      note: undefined,
      read: (targets: readonly string[]) =>
        Promise.all(
          targets.map(async (target) => {
            const { status, body } = await panel.call("GET", `/api/v1${target}`);
            if (status !== 200) throw new Error(body.error);
            return body as unknown;
          }),
        ),
      write: () => Promise.reject(new Error("nothing is changed")),
      close: () => Promise.resolve(),
    };
    const found = (who: string) => userIdOf(source, who).catch((error: unknown) => String(error));
    const link = new URL(one.subUrl);
    const same = ["zoe the first", "zoe-link", link.href, `${link.href}/clash?x=1`, one.subToken];
    for (const who of [...same, one.config.uuid, one.config.uuid.toUpperCase()])
      expect([who, await found(who)]).toEqual([who, one.id]);
    expect(await found(String(other.id))).toBe(other.id);
    expect(await found(String(one.id))).toBe(
      `Error: ${one.id} means two accounts, ${one.id} (${other.id}) and zoe the first (${one.id}): ask in another way`,
    );
    expect(await found("zoe the")).toBe(`Error: there is no user zoe the: there is zoe the first (${one.id})`);
    expect(await found("nobody at all")).toContain("no user nobody at all: `signalbox users list` lists them");
    for (const who of [one.subToken.slice(0, 31), "4242424242", "%", "a\u0000b", "https://a.example/", "x".repeat(300)])
      expect(await found(who)).toMatch(/^Error: (there is no user|q|name)/);
  });

  // rules process.command.5, process.command.7
  test("off and on again: the route's record and events, and the panel serves it so at once", async () => {
    const { id } = await make("carla");
    const off = await run("disable", "carla");
    expect([off.code, off.err, JSON.parse(off.out)]).toEqual([0, "", await user(id)]);
    expect(await user(id)).toMatchObject({ enable: false, disabledReason: "manual", offBy: CLI.actor });
    expect(await told(id)).toEqual(["user.suspended", "user.created"]);
    expect((await run("disable", "carla")).code).toBe(0);
    expect((await run("enable", String(id))).code).toBe(0);
    expect(await user(id)).toMatchObject({ enable: true, disabledReason: "" });
    expect(await told(id)).toEqual(["user.resumed", "user.suspended", "user.created"]);
    // The second time nothing was changed, and nothing is recorded.
    expect(await recorded(id)).toMatchObject([
      { ...CLI, action: "update", obj: { enable: [false, true] } },
      { ...CLI, action: "update", obj: { enable: [true, false] } },
    ]);
    const journal = await ok("GET", `/actors/user/${id}/journal`);
    expect(journal.items.map(({ event, actor }: Record<string, string>) => [event, actor])).toEqual([
      ["switchOn", CLI.actor],
      ["switchOff", CLI.actor],
      ["created", "root"],
    ]);
  });

  // rule process.command.7
  test("what limits keep as it is fails with a sentence: the answer of the API is a 200", async () => {
    const { id } = await make("dora", { expiry: now() - DAY });
    await expect.poll(async () => (await user(id)).disabledReason).toBe("expiry");
    const on = await run("enable", "dora");
    expect([on.code, on.err]).toEqual([1, "signalbox: dora stays off: its date has passed\n"]);
    expect(JSON.parse(on.out)).toMatchObject({ id, enable: false, disabledReason: "expiry" });
    const off = await run("disable", "dora");
    expect([off.code, off.err]).toEqual([
      1,
      "signalbox: dora was off already, by its limits (expiry): they may bring it back\n",
    ]);
  });

  // rules process.command.5, process.command.7
  test("a renewal is the route's: by its own term, by a plan, to a date, and refused as there", async () => {
    const plan = await ok("POST", "/plans", { name: "month", days: 30, volume: 5 });
    const { id } = await make("emil", { planId: plan.id });
    const before = await user(id);
    const renewed = await run("renew", "emil");
    expect([renewed.code, renewed.err, JSON.parse(renewed.out)]).toEqual([0, "", await user(id)]);
    expect((await user(id)).expiry).toBe(before.expiry + 30 * DAY);
    expect((await run("renew", "emil", "--plan", String(plan.id))).code).toBe(0);
    expect((await user(id)).expiry).toBe(before.expiry + 60 * DAY);
    expect((await run("renew", "emil", "--days", "7")).code).toBe(0);
    expect(await user(id)).toMatchObject({ expiry: before.expiry + 67 * DAY, term: 7 * DAY });
    expect((await run("renew", "emil", "--until", "2099-03-01 12:30")).code).toBe(0);
    expect((await user(id)).expiry).toBe(Date.UTC(2099, 2, 1, 9, 0) / 1000);
    expect(await told(id)).toEqual([...Array.from({ length: 4 }, () => "user.renewed"), "user.created"]);
    const records = (await recorded(id)) as readonly object[];
    expect(records).toMatchObject(Array.from({ length: 4 }, () => ({ ...CLI, action: "renew" })));
    const stays = await make("fay", { expiry: now() + DAY, enable: false });
    expect(await run("renew", "fay", "--until", "2098-01-01")).toMatchObject({
      code: 0,
      err: "signalbox: fay stays off by hand\n",
    });
    expect((await user(stays.id)).expiry).toBeGreaterThan(now() + DAY);
    const refused: readonly (readonly [readonly string[], RegExp])[] = [
      [["renew", "emil", "--plan", "4242"], /planId: .*4242/],
      [["renew", "emil", "--until", "2001-01-01"], /expiry: /],
      [["renew", "ada"], /neither an end nor a volume/],
      [["renew", "fay"], /no term was ever sold/],
      [["renew", "emil", "--days", "3", "--plan", String(plan.id)], /days: .*planId/],
      [["disable", "4242424242"], /there is no user 4242424242/],
    ];
    for (const [args, sentence] of refused) {
      const said = await run(...args);
      expect([args, said.code, said.out]).toEqual([args, 1, ""]);
      expect(said.err).toMatch(sentence);
    }
  });

  test.skipIf(!hasTerminal)("a terminal gets words and no secrets, and no name steers it", async () => {
    const { id, config, subToken } = await make("evil \u200fname", { volume: 3 * 2 ** 30, desc: "calls at night" });
    const env = { NO_COLOR: "1" };
    const { out } = await onTerminal(panel, 100, env, "users", "show", String(id)).ended;
    for (const secret of [config.uuid, config.password, config.ss16, config.ss32, subToken])
      expect(out).not.toContain(secret);
    expect(out).toContain(`evil \ufffdname  user ${id}`);
    expect(out).toMatch(/State +on {2}for \d+ (s|min)/);
    expect(out).toMatch(/Used +0 B of 3 GiB/);
    expect(out).toMatch(/Note +calls at night/);
    expect(out).toMatch(/Verdict +there is no template/);
    expect(out).toContain("failed   served: there is no template  (POST /templates)");
    const table = (await onTerminal(panel, 80, env, "users", "list", "--search", "evil").ended).out.split(/\r?\n/);
    expect(table[0]).toMatch(/^ID +NAME +STATE +USED +ENDS +ONLINE +GROUP/);
    expect(table[1]).toMatch(/evil \ufffdname +on +0 B of 3 GiB +never +never +-/);
    expect(table[2]).toBe("1 user");
    expect((await onTerminal(panel, 80, env, "users", "disable", String(id)).ended).out).toBe(
      `evil \ufffdname (${id}): off by hand\r\n`,
    );
  });

  // rules process.command.5, process.command.7
  test("without a panel the database is changed under the same rules, and the next panel serves it so", async () => {
    const { id } = await make("gita");
    await panel.stop();
    try {
      expect(await run("disable", "gita")).toMatchObject({ code: 0, err: "" });
      const shown = await run("show", "gita");
      expect(JSON.parse(shown.out)).toMatchObject({ id, enable: false, verdict: { ok: false } });
      // That it was served until then is in the same commit, as with every change.
      const database = await connectTestDatabase(panel.databaseUrl, [DepartureRows]);
      const rows = await database.reads.rows(DepartureRows, sql`select * from departures where subject = ${id}`);
      await database.close();
      expect(rows).toMatchObject([{ kind: "account", was: null }]);
    } finally {
      await panel.start();
    }
    expect(await user(id)).toMatchObject({ enable: false, disabledReason: "manual", offBy: CLI.actor });
    expect(await told(id)).toEqual(["user.suspended", "user.created"]);
    expect(await recorded(id)).toMatchObject([{ ...CLI, action: "update" }]);
    expect((await ok("GET", "/users/summary")).disabled).toBe((await ok("GET", "/users?status=disabled")).total);
  });
});

// rule process.command.1
test("wrong usage ends with 2 and the help, and asks nobody", async () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /a verb is needed: list, show, disable, enable, renew/],
    [["remove", "ada"], /a verb is needed/],
    [["constructor", "ada"], /a verb is needed/],
    [["disable"], /disable needs one account/],
    [["disable", ""], /disable needs one account/],
    [["disable", "ada", "bo"], /disable needs one account/],
    [["list", "ada"], /list takes no name/],
    [["show", "ada", "--until", "2099-01-01"], /show takes no --until/],
    [["renew", "ada", "--until", "3d"], /--until is no date/],
    [["renew", "ada", "--until", "2099-02-30"], /--until is none of/],
    [["renew", "ada", "--plan", "month"], /--plan must be an id/],
    [["renew", "ada", "--days", "month"], /--days must be a number/],
    [["list", "--status", "sleepy"], /--status must be one of/],
    [["list", "--limit", "1001"], /--limit must be 1 to 1000/],
    [["list", "--colour", "red"], /Unknown option '--colour'/],
  ];
  const written: string[] = [];
  const spied = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  try {
    for (const [args] of wrong) expect([args, await users(args)]).toEqual([args, 2]);
  } finally {
    spied.mockRestore();
  }
  for (const [at, [args, sentence]] of wrong.entries()) {
    expect([args, written[at]]).toEqual([args, expect.stringMatching(sentence)]);
    expect(written[at]).toContain("signalbox users show WHO");
  }
  expect(await signalbox({ databaseUrl: "", directory: "/nonexistent/signalbox" }, "users", "--help")).toMatchObject({
    code: 0,
    out: expect.stringContaining("WHO: an id"),
  });
});
