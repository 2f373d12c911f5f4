// Lines of a file whose panel died before it started the import.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { JobPartRows, JobRows } from "../../src/jobs/job.entity.ts";
import { LineRows } from "../../src/jobs/staged-lines.ts";
import { Spool } from "../../src/uploads/index.ts";
import { LeftStaged } from "../../src/jobs/retention.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

describe.each(dialects)("what was staged and left on %s", (dialect) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase(dialect, [JobRows, JobPartRows]);
  });
  afterAll(() => db.dispose());

  // rule jobs.import.6
  test("it is forgotten where nothing came for it from one look to the next", async () => {
    let last = 0;
    const stage = (jobId: number, id: number) =>
      db.commits.submit({
        name: "stage",
        locks: [],
        decide: (draft) =>
          draft.insert(JobPartRows, { id, jobId, sort: "staged", last: ++last, content: [[last, "{}"]] }),
      });
    const left = async () =>
      (
        await db.reads.query<{ job: number | string }>(sql`select distinct job_id as job from job_parts order by 1`)
      ).map(({ job }) => Number(job));
    await stage(1, 1);
    await stage(2, 2);
    const staged = new LeftStaged();
    await staged.forget(db.reads, new LineRows(db, new Spool("/nowhere")));
    expect(await left()).toEqual([1, 2]);
    // Somebody still sends the second one.
    await stage(2, 3);
    await staged.forget(db.reads, new LineRows(db, new Spool("/nowhere")));
    expect(await left()).toEqual([2]);
    await staged.forget(db.reads, new LineRows(db, new Spool("/nowhere")));
    expect(await left()).toEqual([]);
  });
});
