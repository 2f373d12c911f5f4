// Jobs that write links: imports in every form, many restorations, and what takes a job back. What opened another
// account's subscription is refused there as in a single request, and nobody guesses links by them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { sendFile } from "./send-file.ts";
import { jobEnded, makeUsers, newReseller } from "./users.ts";

const FORMATS = ["ndjson", "csv"] as const;
const MODES = ["skip", "update", "fail"] as const;

describe.each(dialects)("links in jobs on %s", (dialect) => {
  let panel: WholePanel;
  let serial = 0;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const user = async (id: number | undefined) => (await panel.call("GET", `/api/v1/users/${id}`)).body;
  const bulk = async (op: string, ids: readonly number[], headers?: Record<string, string>) =>
    (await panel.call("POST", `/api/v1/users/bulk/${op}`, { ids }, headers)).body;
  const undone = async (job: number) =>
    jobEnded(panel, (await panel.call("POST", `/api/v1/jobs/${job}/undo`)).body.job);
  const create = (subId: string) => panel.call("POST", "/api/v1/users", { name: `thief-${++serial}`, subId });

  const fileOf = (format: (typeof FORMATS)[number], lines: readonly { name: string; subId: string }[]) =>
    format === "ndjson"
      ? lines.map((line) => `${JSON.stringify(line)}\n`).join("")
      : ["name,subId", ...lines.map(({ name, subId }) => `${name},${subId}`)].join("\r\n");

  /** Keys of accounts of the panel's own, of each kind. */
  async function keys(): Promise<string[]> {
    const ids = await makeUsers(panel, 8);
    const before = await Promise.all(ids.map(user));
    const [, , three = 0, four = 0, five = 0, six = 0, seven = 0, eight = 0] = ids;
    await bulk("rotate-sub", [three, four]);
    await bulk("delete", [five, six]);
    const updated = await sendFile(
      panel,
      "?onConflict=update",
      fileOf(
        "ndjson",
        [seven, eight].map((id) => ({ name: nameOf(before, id), subId: `import-${++serial}` })),
      ),
    );
    expect(updated.body).toMatchObject({ updated: 2 });
    return before.map(({ subId, subToken }, at) => (at % 2 === 0 || at === 7 ? subId : subToken));
  }

  const nameOf = (rows: readonly { id: number; name: string }[], id: number) =>
    rows.find((row) => row.id === id)?.name ?? "";

  // rules users.link.1, users.link.2, users.link.3, jobs.import.4
  test.each(FORMATS.flatMap((format) => MODES.map((mode) => [format, mode] as const)))(
    "an import of %s with onConflict=%s refuses each, tells a reseller of few in a minute, and another slowly",
    async (format, mode) => {
      const taken = await keys();
      const seller = await newReseller(panel);
      const [own = 0] = await makeUsers(panel, 1, { adminId: seller.id });
      const { name: ownName, subId: ownKey } = await user(own);
      // An own account's is refused for its name before its link is looked at, unless it is to be changed.
      const name = () => (mode === "update" ? ownName : `line-${++serial}`);
      const send = (guessed: readonly string[], headers?: Record<string, string>) =>
        sendFile(
          panel,
          `?format=${format}&onConflict=${mode}`,
          fileOf(
            format,
            guessed.map((subId) => ({ name: name(), subId })),
          ),
          headers,
        );
      const first = await send(taken, seller.headers);
      expect(first.body).toMatchObject({ created: 0, updated: 0, failed: taken.length });
      for (const problem of first.body.problems)
        expect(problem).toMatchObject({ code: "duplicate", field: "subId", error: "subId: the value is taken" });
      // As many again are too many, unless a minute began in between.
      let more = await send(taken, seller.headers);
      if (more.body.failed > 0) more = await send(taken, seller.headers);
      expect(more.body).toMatchObject({ created: 0, updated: 0, failed: 0, problems: [] });
      expect(more.body.error).toContain("too many lines for one minute");
      expect((await user(own)).subId).toBe(ownKey);
      const many = await send([...taken, ...taken]);
      expect(many.body).toMatchObject({ created: 0, updated: 0, failed: 0, problems: [] });
      expect(many.body.error).toContain("credentials or links of other accounts");
    },
  );

  // rule users.link.3
  test("a link that a job ended is nobody else's, and its account's when the job is taken back", async () => {
    const [id = 0] = await makeUsers(panel, 1);
    const before = await user(id);
    const { job } = await bulk("rotate-sub", [id]);
    for (const key of [before.subId, before.subToken]) expect((await create(key)).status).toBe(400);
    expect(await undone(job)).toMatchObject({ affected: 1, failed: 0 });
    expect(await user(id)).toMatchObject({ subId: before.subId, subToken: before.subToken });
  });

  // rule users.link.4
  test("an import that is taken back leaves no links behind, unless somebody asked for one", async () => {
    const lines = [1, 2].map(() => ({ name: `again-${++serial}-${dialect}`, subId: `again-${++serial}-${dialect}` }));
    const file = fileOf("ndjson", lines);
    const { job } = (await sendFile(panel, "", file)).body;
    expect(await undone(job)).toMatchObject({ affected: 2 });
    const again = (await sendFile(panel, "", file)).body;
    expect(again).toMatchObject({ created: 2, failed: 0 });
  });

  // rule users.link.4
  test("the line of an export brings a deleted account's link back; one that knows its id alone does not", async () => {
    const ids = await makeUsers(panel, 2);
    const [gone, there] = await Promise.all(ids.map(user));
    await bulk("delete", [gone.id]);
    await bulk("rotate-sub", [there.id]);
    const line = ({ subId, subToken }: typeof gone, more: object = {}) => {
      const body = { name: `line-${++serial}`, subId, subToken, ...more };
      return sendFile(panel, "", `${JSON.stringify(body)}\n`);
    };
    expect((await line(gone, { subToken: there.subToken })).body).toMatchObject({ created: 0, failed: 1 });
    expect((await line(gone, { subToken: undefined })).body).toMatchObject({ created: 0, failed: 1 });
    // Another reseller's, whatever the line knows.
    const seller = await newReseller(panel);
    const theirs = { name: `line-${++serial}`, subId: gone.subId, subToken: gone.subToken, config: gone.config };
    const sent = await sendFile(panel, "", `${JSON.stringify(theirs)}\n`, seller.headers);
    expect(sent.body).toMatchObject({ created: 0, failed: 1, problems: [{ field: "subId" }] });
    // Its account gave it up and is there.
    expect((await line(there)).body).toMatchObject({ created: 0, failed: 1 });
    expect((await line(there, { config: { uuid: there.config.uuid } })).body).toMatchObject({ created: 0, failed: 1 });
    const byUuid = { subToken: undefined, config: { uuid: gone.config.uuid } };
    const back = await line(gone, byUuid);
    expect(back.body).toMatchObject({ created: 1, failed: 0 });
    // Deleted and imported again, as often as one likes.
    const found = (await panel.call("GET", `/api/v1/users?subId=${gone.subId}`)).body.items[0];
    await bulk("delete", [found.id]);
    expect((await line(found)).body).toMatchObject({ created: 1, failed: 0 });
    const refused = await panel.call("POST", `/api/v1/users/${gone.id}/restore`, {});
    expect([refused.status, refused.body.field]).toEqual([409, "subId"]);
  });

  // rule users.link.5
  test("many restorations tell a reseller of no more links and credentials than its sessions", async () => {
    const seller = await newReseller(panel);
    const passwords = Array.from({ length: 13 }, (_, at) => `kept ${at} of ${++serial} ${dialect}`);
    const ids: number[] = [];
    for (const password of passwords)
      ids.push(...(await makeUsers(panel, 1, { adminId: seller.id, config: { password } })));
    await bulk("delete", ids);
    for (const password of passwords) await makeUsers(panel, 1, { config: { password } });
    const restore = async (some: readonly number[]) =>
      (await panel.call("POST", "/api/v1/users/deleted/restore", { ids: some }, seller.headers)).body;
    const all = await restore(ids);
    expect(all).toMatchObject({ affected: 0, blocked: 0, failed: 0, problems: [] });
    expect(all.error).toContain("too many accounts for one minute");
  });
});
