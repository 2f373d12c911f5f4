// How long the audit log is kept: `changes_retention_days`, as it is at the hourly pass.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, setUp, signIn, type AccessPanel } from "./panel.ts";

const DAY_MS = 86_400_000;

describe.each(dialects)("retention of the audit log on %s", (dialect) => {
  let panel: AccessPanel;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
  });
  afterAll(() => panel.dispose());

  // rule admins.audit.8
  test("each hourly pass takes the days as they are then; 0 keeps everything", async () => {
    let root = await setUp(panel);
    const later = async (ms: number) => {
      panel.clock.now += ms;
      root = await signIn(panel, "root");
    };
    const put = (key: string, value: string) =>
      panel.send("PUT", `/api/settings/${key}`, { as: root, body: { value } });
    const recorded = async () =>
      ((await panel.send("GET", "/api/changes", { as: root })).body as unknown as { entityId: string }[]).map(
        (row) => row.entityId,
      );
    await put("sub_title", "old");
    await put("changes_retention_days", "0");
    await later(2 * DAY_MS);
    await put("sub_announce", "new");
    await panel.access.prune();
    expect(await recorded()).toContain("sub_title");
    await put("changes_retention_days", "1");
    await panel.access.prune();
    const left = await recorded();
    expect(left).not.toContain("sub_title");
    expect(left).toContain("sub_announce");
  });
});
