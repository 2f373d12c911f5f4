// Two who change one record at once, by its page: what only one of them touched is kept of both, and where both touched
// the same, the second one sees both versions before anything is lost.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

interface Made {
  readonly id: number;
}

describe.skipIf(!hasBrowser)("a conflict", () => {
  let stage: BrowserStage;
  let visit: Visit;
  const { access, parts, pool, settings } = words;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  const save = () => visit.page.getByRole("button", { name: parts.save, exact: true }).click();
  const note = () => visit.page.getByRole("alert").filter({ hasText: parts.conflict });

  test("of a role, which is sent as a whole: the other one's fields stay", async () => {
    const { page } = visit;
    const { api } = stage.panel;
    const role = { name: "shared", base: "admin", scopes: ["users:read"], userLimit: 5, description: "" };
    const { id } = (await api.ok("POST", "/roles", role)) as Made;
    const theirs = { ...role, description: "theirs", userLimit: 7, scopes: ["users:read", "nodes:read"] };
    await visit.go(`/roles/${id}`);
    const description = page.getByRole("textbox", { name: access.roles.note });
    await page.getByRole("textbox", { name: access.name, exact: true }).fill("mine");
    await api.ok("PUT", `/roles/${id}`, theirs);
    await save();
    await page.getByText(access.roles.saved("mine")).waitFor();
    expect(await api.ok("GET", `/roles/${id}`)).toMatchObject({ ...theirs, name: "mine" });

    await description.fill("mine");
    await api.ok("PUT", `/roles/${id}`, { ...theirs, name: "mine", description: "again", userLimit: 9 });
    await save();
    await note().getByText("again", { exact: true }).waitFor();
    expect(await api.ok("GET", `/roles/${id}`)).toMatchObject({ description: "again" });
    await note().getByRole("button", { name: parts.keepMine }).click();
    await expect
      .poll(() => api.ok("GET", `/roles/${id}`))
      .toMatchObject({ ...theirs, name: "mine", description: "mine", userLimit: 9 });
  });

  test("of an inbound, which is a document: by field, both versions beside each other, theirs can be taken", async () => {
    const { page } = visit;
    const { api } = stage.panel;
    const config = { listen: "::", listen_port: 4443 };
    const { id } = (await api.ok("POST", "/inbounds", { tag: "shared", type: "vless", config })) as Made;
    const read = () => api.ok("GET", `/inbounds/${id}`);
    await visit.go(`/inbounds/${id}`);
    const port = page.getByRole("textbox", { name: pool.keys.listen_port, exact: true });
    await port.fill("4444");
    await api.ok("PUT", `/inbounds/${id}`, { remark: "theirs", config: { ...config, tcp_fast_open: true } });
    await save();
    await page.getByText(pool.saved("shared")).waitFor();
    const both = { listen: "::", listen_port: 4444, tcp_fast_open: true };
    expect(await read()).toMatchObject({ remark: "theirs", config: both });

    await port.fill("4445");
    await api.ok("PUT", `/inbounds/${id}`, { config: { ...both, listen_port: 5555 } });
    await save();
    const versions = note().getByRole("row").filter({ hasText: pool.keys.listen_port }).getByRole("cell");
    await expect.poll(() => versions.allInnerTexts()).toEqual(["5555", "4445"]);
    await note().getByRole("button", { name: parts.takeTheirs }).click();
    await expect.poll(() => port.inputValue()).toBe("5555");
    expect(await read()).toMatchObject({ config: { listen_port: 5555 } });
  });

  test("of a setting: what the other one wrote is named; saved again, it is a choice", async () => {
    const { page } = visit;
    const { api } = stage.panel;
    const key = "changes_retention_days";
    const read = async () =>
      ((await api.ok("GET", `/settings?q=${key}`)) as { items: readonly { value: string }[] }).items[0]?.value;
    await visit.go(`/settings?q=${key}`);
    await page.locator("form").getByRole("textbox").last().fill("40");
    await api.ok("PUT", `/settings/${key}`, { value: "50" });
    await save();
    await page.getByText(settings.changedMeanwhile("50")).waitFor();
    expect(await read()).toBe("50");
    await save();
    await expect.poll(read).toBe("40");
    expect(visit.problems).toEqual([]);
  });
});
