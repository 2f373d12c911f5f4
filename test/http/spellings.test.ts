// A search finds a name in whichever keyboard's letters and digits it was written or is asked for.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openPanel, request, type TestPanel } from "./panel.ts";

/** Ali Kamali, with the letters of a Persian keyboard and of an Arabic one. */
const PERSIAN = "علی کمالی";
const ARABIC = "علي كمالي";

describe.each(dialects)("spellings on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await openPanel(dialect);
    panel.caller("root", { rateLimit: 10_000 });
    for (const title of [PERSIAN, ARABIC, "علم", "user 12", "کاربر ۱۲"]) {
      await panel.api.app.inject(request("POST", "/api/notes", { title, size: 1 }));
    }
  });
  afterAll(() => panel.dispose());

  const found = async (text: string) => {
    const answer = await panel.api.app.inject(request("GET", `/api/notes?q=${encodeURIComponent(text)}`));
    return answer.json<{ title: string }[]>().map(({ title }) => title);
  };

  // rule http.list.4
  test.each([PERSIAN, ARABIC, "علی", "علي", "كم"])("%s finds both writings, and nothing else", async (text) => {
    expect(await found(text)).toEqual([PERSIAN, ARABIC]);
  });

  test("digits of a Persian keyboard find Latin ones too", async () => {
    expect(await found("۱۲")).toEqual(["user 12", "کاربر ۱۲"]);
    expect(await found("user ۱۲")).toEqual(["user 12"]);
  });
});
