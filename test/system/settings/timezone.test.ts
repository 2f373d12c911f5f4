// `timezone`: sessions receive a new value immediately, the server uses it after the next restart.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { ListeningPanel } from "./panel.ts";

/** Resets at midnight of a Monday: which moment that is depends on the zone. */
const RESETS = { autoReset: true, resetPeriod: "weekly", resetStartDay: 1 };

describe.each(dialects)("the time zone on %s", (dialect) => {
  let panel: ListeningPanel;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_tls_mode: "none", timezone: "UTC" });
  });
  afterAll(() => panel.dispose());

  /** Seconds after midnight UTC at which a new account's traffic is reset. */
  const resetOf = async (name: string): Promise<number> => {
    const created = await panel.ask("POST", "/api/users", { body: { name, ...RESETS } });
    return Number(created.body.nextReset) % 86_400;
  };

  // rule settings.value.5
  test("is said at once and kept by after a restart", async () => {
    expect(await resetOf("before")).toBe(0);
    await panel.put("timezone", "Asia/Dubai");
    expect((await panel.ask("GET", "/api/me")).body.timezone).toBe("Asia/Dubai");
    expect(await resetOf("saved")).toBe(0);
    await panel.restart();
    expect(await resetOf("adopted")).toBe(20 * 3600);
  });
});
