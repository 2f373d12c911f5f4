// `signalbox actors` and `signalbox actor`: the API's answers, beside a panel and without one, on both databases;
// tables on a terminal.
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { hasTerminal, inPipe, onTerminal, signalbox } from "./terminal.ts";

describe.each(dialects)("actors in the terminal on %s", (dialect) => {
  let panel: WholePanel;
  let spent: number;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    for (const name of ["ada", "bo", "cy"]) await panel.call("POST", "/api/v1/users", { name });
    const { body } = await panel.call("POST", "/api/v1/users", { name: "evil \u200fname" });
    spent = body.id;
    await panel.call("PATCH", `/api/v1/users/${spent}`, { expiry: 1 });
  });
  afterAll(() => panel.dispose());

  // rule process.command.4
  test("a pipe gets exactly what the API answers", async () => {
    const query = ["--kind", "user", "--state", "enabled.*", "--sort", "name", "--reverse", "--limit", "2"];
    const said = await signalbox(panel, "actors", ...query);
    const { body } = await panel.call("GET", "/api/v1/actors?kind=user&state=enabled.*&sort=name&order=desc&limit=2");
    expect([said.code, JSON.parse(said.out)]).toEqual([0, body]);
    expect(body).toMatchObject({ total: 3, items: [{ name: "cy" }, { name: "bo" }] });
    const one = await signalbox(panel, "actor", "user", String(spent));
    const detail = await panel.call("GET", `/api/v1/actors/user/${spent}`);
    const journal = await panel.call("GET", `/api/v1/actors/user/${spent}/journal?limit=10`);
    expect([one.code, JSON.parse(one.out)]).toEqual([0, { ...detail.body, journal: journal.body.items }]);
  });

  // rule process.command.1
  test("what is unknown is named with a sentence and 1, wrong usage ends with 2, and --help says how", async () => {
    const refused: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["actors", "--kind", "train"], 1, /no actors of kind train: kinds are .*user/],
      [["actor", "train", "1"], 1, /kinds are .*node/],
      [["actor", "user", "99999"], 1, /no user 99999/],
      [["actor", "user", "zoe"], 1, /there is no user called zoe: `signalbox actors --kind user` lists them/],
      [["actor", "user", "me"], 1, /there is no user called me: there is evil .name \(\d+\)/u],
      [["actor", "user", "ada", "--try", "fly"], 1, /there is no event fly/],
      [["actor", "user", "ada", "--try", "due", "--at", "1h"], 2, /--at and --try stand alone/],
      [["actor", "user", "ada", "--at", "soon"], 2, /--at is none of/],
      [["actor", "user"], 2, /a kind and an id are needed/],
      [["actors", "--sort", "colour"], 2, /--sort must be one of/],
      [["actors", "--limit", "0"], 2, /--limit must be 1 to 1000/],
    ];
    for (const [args, code, sentence] of refused) {
      const said = await signalbox(panel, ...args);
      expect([args, said.code, said.out]).toEqual([args, code, ""]);
      expect(said.err).toMatch(sentence);
    }
    expect(await signalbox(panel, "actor", "--help")).toMatchObject({
      code: 0,
      out: expect.stringContaining("--journal N"),
    });
  });

  // rule process.command.4
  test.skipIf(!hasTerminal)(
    "a terminal gets a table with times in words, coloured unless NO_COLOR is set; a name cannot steer the terminal",
    async () => {
      const coloured = await onTerminal(panel, 100, {}, "actors", "--kind", "user").ended;
      expect(coloured.code).toBe(0);
      expect(coloured.out).toContain("\u001b[33mdisabled.expiry");
      const bare = await onTerminal(panel, 100, { NO_COLOR: "1" }, "actors", "--kind", "user").ended;
      const lines = bare.out.trimEnd().split(/\r?\n/);
      expect(bare.out).not.toContain("\u001b");
      expect(lines[0]).toMatch(/^KIND +ID +NAME +STATE +FOR +WAKES +DOING/);
      expect(lines.find((line) => line.includes("evil"))).toMatch(/evil \ufffdname +disabled\.expiry +\d+ (s|min)/);
      expect(lines.at(-1)).toBe("4 actors");
      const narrow = await onTerminal(panel, 60, { NO_COLOR: "1" }, "actors", "--kind", "user").ended;
      expect(Math.max(...narrow.out.split(/\r?\n/).map((line) => line.length))).toBeLessThanOrEqual(60);
    },
  );

  test.skipIf(!hasTerminal)(
    "one actor on a terminal: its state and why, what it takes, its context, its journal",
    async () => {
      const { out } = await onTerminal(panel, 100, { NO_COLOR: "1" }, "actor", "user", String(spent)).ended;
      const { body } = await panel.call("GET", `/api/v1/actors/user/${spent}`);
      expect(out).toMatch(/State +disabled\.expiry {2}for \d+ (s|min)/);
      expect(out.replace(/\s+/g, " ")).toContain(body.meaning);
      expect(out).toMatch(/edited, by root, at \d\d:\d\d:\d\d/);
      expect(out).toMatch(/disabledReason +expiry/);
      expect(out).toMatch(/2 +\d\d:\d\d:\d\d +edited +enabled\.started → disabled\.expiry +root, after/);
      const tehran = new Date(body.why.at * 1000).toLocaleTimeString("en-GB", { timeZone: "Asia/Tehran" });
      expect(out).toContain(`at ${tehran}`);
    },
  );

  test.skipIf(!hasTerminal)(
    "by its name: what it would do, where it stood, how often it came; a pipe gets the API's answers",
    async () => {
      const { body } = await panel.call("GET", "/api/v1/actors?q=ada");
      const path = `/api/v1/actors/user/${body.items[0].id}`;
      const tried = await signalbox(panel, "actor", "user", "ada", "--try", "switchOff");
      expect([tried.code, JSON.parse(tried.out)]).toEqual([
        0,
        (await panel.call("GET", `${path}/preview?type=switchOff`)).body,
      ]);
      expect(
        (await onTerminal(panel, 100, { NO_COLOR: "1" }, "actor", "user", "ada", "--try", "switchOff").ended).out,
      ).toMatch(/switchOff would lead: enabled\.started → disabled\.manual\s+says suspended\s+nothing was changed/);
      expect(
        (await onTerminal(panel, 100, { NO_COLOR: "1" }, "actor", "user", "ada", "--try", "switchOn").ended).out,
      ).toContain("switchOn would not be taken: the state enabled.started does not take switchOn");
      const [created] = (await panel.call("GET", `${path}/journal`)).body.items;
      const then = JSON.parse((await signalbox(panel, "actor", "user", "ada", "--at", String(created.at))).out);
      expect(then).toMatchObject({
        kind: "user",
        at: created.at,
        state: "enabled.started",
        journal: [created],
        total: 1,
      });
      expect(
        (await onTerminal(panel, 100, { NO_COLOR: "1" }, "actor", "user", "ada", "--at", "3d").ended).out,
      ).toContain("it was not there yet");
      expect(
        (await onTerminal(panel, 100, { NO_COLOR: "1" }, "actor", "user", "ada", "--at", String(created.at)).ended).out,
      ).toMatch(/enabled\.started, since \d\d:\d\d:\d\d\s+last created, by root/);
      const came = JSON.parse(
        (await signalbox(panel, "actor", "user", String(spent), "--entered", "disabled.*", "--since", "1h")).out,
      );
      expect(came.journal).toMatchObject([{ to: "disabled.expiry", event: "edited", actor: "root" }]);
      const lately = JSON.parse(
        (await signalbox(panel, "actors", "--kind", "user", "--since", "1h", "--sort", "since", "--reverse")).out,
      );
      expect(lately).toMatchObject({ total: 4, items: [{ id: String(spent) }, {}, {}, {}] });
    },
  );

  test("a watch in a pipe gives a line for each change, and ends with 0 at Ctrl-C", async () => {
    const watch = inPipe(panel, "actor", "user", String(spent), "--watch");
    const answers = () =>
      watch.out
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { state: string; journal: unknown[] });
    await expect.poll(() => answers().length).toBe(1);
    await panel.call("PATCH", `/api/v1/users/${spent}`, { enable: true, expiry: 0 });
    const seen = () => answers().map(({ state, journal }) => `${state} ${journal.length}`);
    await expect.poll(() => seen().at(-1)).toBe("enabled.started 3");
    // Record and journal are two questions: where the change comes between them, there is a line of one alone.
    const [first, ...between] = seen().slice(0, -1);
    expect(first).toBe("disabled.expiry 2");
    expect(["", "disabled.expiry 3", "enabled.started 2"]).toContain(between.join());
    watch.child.kill("SIGINT");
    expect(await watch.ended).toMatchObject({ code: 0, err: "" });
  });

  test.skipIf(!hasTerminal)(
    "a watch on a terminal is drawn in place, follows changes, and leaves its last picture behind at Ctrl-C",
    async () => {
      const watch = onTerminal(panel, 100, {}, "actors", "--search", "ada", "--watch");
      await expect.poll(() => watch.out).toContain("enabled.started");
      const { body } = await panel.call("GET", "/api/v1/actors?q=ada");
      await panel.call("PATCH", `/api/v1/users/${body.items[0].id}`, { enable: false });
      await expect.poll(() => watch.out).toContain("disabled.manual");
      watch.child.stdin.write("\u0003");
      const { code, out } = await watch.ended;
      expect(code).toBe(0);
      expect(out).toContain("\u001b[?1049h");
      const [, left = ""] = out.split("\u001b[?1049l");
      expect(stripVTControlCharacters(left)).toMatch(/ada +disabled\.manual/);
      expect(left).not.toContain("Ctrl-C");
    },
  );

  test("without a panel the database is read; a watch goes on when the panel is back", async () => {
    await panel.stop();
    const said = await signalbox(panel, "actors", "--kind", "user", "--search", "bo");
    expect([said.code, JSON.parse(said.out)]).toMatchObject([
      0,
      { total: 1, items: [{ name: "bo", state: "enabled.started" }] },
    ]);
    const watch = inPipe(panel, "actors", "--search", "bo", "--watch");
    await expect.poll(() => watch.out).toContain("enabled.started");
    await panel.start();
    const { body } = await panel.call("GET", "/api/v1/actors?q=bo");
    await panel.call("PATCH", `/api/v1/users/${body.items[0].id}`, { enable: false });
    await expect.poll(() => watch.out).toContain("disabled.manual");
    watch.child.kill("SIGTERM");
    expect((await watch.ended).code).toBe(0);
  });
});

test("a directory without a database is a sentence, and none is made", async () => {
  const said = await signalbox({ databaseUrl: "", directory: "/nonexistent/signalbox" }, "actors");
  expect(said).toMatchObject({
    code: 1,
    err: expect.stringContaining("there is no database /nonexistent/signalbox/panel.db"),
  });
});
