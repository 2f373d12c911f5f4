// The page while it is designed: drawn with what is sent, stored nowhere.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { TestPanel } from "../../accounts/panel.ts";

describe.each(dialects)("the subscription page on trial on %s", (dialect) => {
  let panel: TestPanel;
  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
  });
  afterEach(() => panel.dispose());

  // rule subscriptions.page.11
  test("theme and apps that are sent are drawn, in a language and a state; what is wrong is named", async () => {
    const draw = async (body: object) => panel.ok("POST", "/sub/page/test", body);
    const own = await draw({});
    expect(own.html).toContain("happ://add/");
    expect(own.theme).toMatchObject({ colour: "#4348c7", scheme: "auto" });
    const theme = { title: "North Star", colour: "#0a7d55" };
    const apps = [{ name: "Mine", stores: { android: "https://store.example/" }, import: "mine://{url}" }];
    const tried = await draw({ theme, apps, language: "fa", status: "active" });
    expect(tried.html).toMatch(/<html\s+lang="fa"/);
    expect(tried.html).toContain("<title>North Star</title>");
    expect(tried.html).toContain("mine://https://");
    expect(tried.html).not.toContain("happ://");
    for (const status of ["pending", "expired", "limited", "disabled"]) {
      expect((await draw({ status })).html).not.toContain("Ends in");
    }
    const refused = await panel.call("POST", "/sub/page/test", { theme: { colour: "red" } });
    expect([refused.status, refused.body.field]).toEqual([400, "theme.colour"]);
    expect(panel.settings.get("sub_theme")).toBeUndefined();
    panel.reseller("shop", 7);
    expect((await panel.call("POST", "/sub/page/test", {}, "shop")).status).toBe(403);
  });
});
