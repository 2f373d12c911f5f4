// `signalbox jobs`: what long work does and how it is stopped, beside a panel and without one, on both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { sendFile } from "../jobs/send-file.ts";
import { jobEnded, makeUsers } from "../jobs/users.ts";
import { WholePanel } from "../whole-panel.ts";
import { hasTerminal, onTerminal, signalbox } from "./terminal.ts";

const CLI = { via: "cli", actor: "command line" };

describe.each(dialects)("jobs from the command line on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const jobs = (...args: readonly string[]) => signalbox(panel, "jobs", ...args);
  const ok = async (path: string) => {
    const answer = await panel.call("GET", `/api/v1${path}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  /**
   * A job that takes half a minute, whatever the machine does: it waits a second in front of each line whose
   * credentials another account has, and no step has more than two of them.
   */
  const slowImport = async (): Promise<number> => {
    const { items } = await ok("/users?limit=1&name=holder");
    const held = JSON.stringify({ name: "held", config: { password: items[0].config.password } });
    const lines = Array.from({ length: 30 }, () => [held, ...Array.from({ length: 499 }, () => "x")]).flat();
    return (await sendFile(panel, "?async=true", lines.join("\n"))).body.job;
  };
  const stateOf = async (id: number): Promise<string> => (await ok(`/jobs/${id}`)).state;

  // rule process.command.5
  test.skipIf(!hasTerminal)(
    "a pipe gets what the API answers, a terminal what it came to and what was refused",
    async () => {
      const [id] = await makeUsers(panel, 1);
      const { body } = await panel.call("POST", "/api/v1/users/bulk/disable", { ids: [id, 999_999] });
      const listed = await jobs("list", "--state", "succeeded,failed", "--limit", "3");
      expect([listed.code, JSON.parse(listed.out)]).toEqual([0, await ok("/jobs?state=succeeded,failed&limit=3")]);
      const shown = await jobs("show", String(body.job));
      expect([shown.code, JSON.parse(shown.out)]).toEqual([0, await ok(`/jobs/${body.job}`)]);
      const env = { NO_COLOR: "1" };
      const { out } = await onTerminal(panel, 100, env, "jobs", "show", String(body.job)).ended;
      expect(out).toContain(`disable  job ${body.job}, users.bulk`);
      expect(out).toMatch(/State +succeeded {2}after \d+ s/);
      expect(out).toMatch(/Came to +1 changed, 0 kept as they are, 1 refused/);
      expect(out).toMatch(/user 999999 {2}no user 999999/);
      const table = (await onTerminal(panel, 100, env, "jobs", "list").ended).out.split(/\r?\n/);
      expect(table[0]).toMatch(/^ID +KIND +DOES +STATE +DONE +REFUSED +BEGAN +BY/);
      expect(table[1]).toMatch(new RegExp(`^${body.job} +users.bulk +disable +succeeded +2 of 2 +1 `));
    },
  );

  // rule process.command.1
  test("what is unknown is a sentence and 1, wrong usage is 2", async () => {
    const refused: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["show", "999999"], 1, /no job 999999/],
      [["cancel", "999999"], 1, /no job 999999/],
      [["cancel"], 2, /cancel needs the id of a job/],
      [["cancel", "all"], 2, /cancel needs the id of a job/],
      [["cancel", "1", "--watch"], 2, /cancel takes no --watch/],
      [["list", "--state", "asleep"], 2, /--state must be one of/],
      [["undo", "1"], 2, /a verb is needed: list, show, cancel/],
    ];
    for (const [args, code, sentence] of refused) {
      const said = await jobs(...args);
      expect([args, said.code, said.out]).toEqual([args, code, ""]);
      expect(said.err).toMatch(sentence);
    }
  });

  // rules process.command.7, jobs.step.3
  test("one that a panel carries out is stopped there, and recorded; again it stays as it is", async () => {
    await panel.call("POST", "/api/v1/users", { name: "holder" });
    const id = await slowImport();
    await expect.poll(() => stateOf(id)).toBe("running");
    const said = await jobs("cancel", String(id));
    expect([said.code, JSON.parse(said.out)]).toMatchObject([0, { id, state: "cancelling" }]);
    expect((await jobEnded(panel, id)).state).toBe("cancelled");
    const again = await jobs("cancel", String(id));
    expect([again.code, JSON.parse(again.out)]).toEqual([0, await ok(`/jobs/${id}`)]);
    expect((await ok(`/changes?key=jobs&entityId=${id}`)).items).toMatchObject([{ ...CLI, action: "cancel" }]);
    expect((await ok(`/jobs/${id}`)).done).toBeLessThan(15_000);
  });

  // rules process.command.7, jobs.bulk.4
  test("without a panel too: one that has not begun ends at once, one under way with the next panel", async () => {
    const under = await slowImport();
    await expect.poll(() => stateOf(under)).toBe("running");
    const late = await slowImport();
    await panel.stop();
    try {
      // The panel may have begun it in its last moment.
      const queued = JSON.parse((await jobs("show", String(late))).out).state === "queued";
      const state = queued ? "cancelled" : "cancelling";
      expect(JSON.parse((await jobs("cancel", String(late))).out)).toMatchObject({ state });
      expect(JSON.parse((await jobs("cancel", String(under))).out)).toMatchObject({ state: "cancelling" });
    } finally {
      await panel.start();
    }
    for (const id of [late, under]) {
      expect(await jobEnded(panel, id)).toMatchObject({ state: "cancelled", error: "cancelled" });
      const events = (await ok(`/events/log?entity=job:${id}`)).items;
      expect(events).toMatchObject([{ event: "user.bulk", data: { op: "import", affected: 0 } }]);
      expect((await ok(`/changes?key=jobs&entityId=${id}`)).items).toMatchObject([{ ...CLI, action: "cancel" }]);
    }
  });
});
