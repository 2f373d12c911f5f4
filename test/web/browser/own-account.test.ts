// The own account by its page: password, two-factor, recovery codes, sessions; and what two tabs and an absent panel do
// to a page.
import { generateSync } from "otplib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fa } from "../../../src/web/words/fa.ts";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const STEP = 30_000;
const PASSWORD = "correct horse battery";
const { password, factor, sessions } = words.me;
const { parts, session } = words;

const dialog = (page: Page) => page.getByRole("dialog");
const nameOf = (page: Page) => page.getByRole("textbox", { name: words.users.columns.name, exact: true });

describe.skipIf(!hasBrowser)("the own account", () => {
  let stage: BrowserStage;
  let made = 0;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
  });
  afterAll(() => stage?.dispose());

  /** A window of an operator that nobody else is. */
  const operator = async (): Promise<{ visit: Visit; username: string }> => {
    const username = `operator-${made++}`;
    await (await stage.panel.logIn()).ok("POST", "/admins", { username, password: PASSWORD, role: "admin" });
    const visit = await stage.visit({ signedIn: false });
    await visit.signIn(username, PASSWORD);
    return { visit, username };
  };
  const signInAgain = async (page: Page) => {
    await dialog(page).getByLabel(session.password, { exact: true }).fill(PASSWORD);
    await dialog(page).getByRole("button", { name: session.signIn }).click();
    await dialog(page).waitFor({ state: "hidden" });
  };

  test("a new password: what is wrong stands at its field, and the other sessions end with the old one", async () => {
    const { visit, username } = await operator();
    const { page } = visit;
    const other = await stage.visit({ signedIn: false });
    await other.signIn(username, PASSWORD);
    await other.go("/users/new");
    await visit.go("/me");
    const change = async (current: string, next: string, repeat = next) => {
      await page.getByLabel(password.current, { exact: true }).fill(current);
      await page.getByLabel(password.next, { exact: true }).fill(next);
      await page.getByLabel(password.repeat, { exact: true }).fill(repeat);
      await page.getByRole("button", { name: password.change }).click();
    };
    /** The text is at the field of this label, which has the focus. */
    const refused = async (label: string, text: string) => {
      const field = page.getByLabel(label, { exact: true });
      await page.getByText(text, { exact: true }).waitFor();
      await field.and(page.locator(":focus")).waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
    };
    const { rules } = words.parts.refusals;
    const kinds = await Promise.all(
      [password.current, password.next, password.repeat].map((label) =>
        page.getByLabel(label, { exact: true }).getAttribute("autocomplete"),
      ),
    );
    expect(kinds).toEqual(["current-password", "new-password", "new-password"]);
    await change("", "another horse battery");
    await refused(password.current, rules.required);
    await change(PASSWORD, "another horse battery", "another");
    await refused(password.repeat, password.differs);
    await change(PASSWORD, "short");
    await refused(password.next, rules.length(8, 256));
    await change("not the password", "another horse battery");
    await refused(password.current, password.wrong);
    await change(PASSWORD, "another horse battery");
    await page.getByText(password.done).waitFor();
    await dialog(other.page).getByText(session.ended.title).waitFor();
    await other.close();
    const again = await stage.visit({ signedIn: false });
    await again.signIn(username, "another horse battery");
    expect([visit.problems, again.problems]).toEqual([[], []]);
    await Promise.all([visit.close(), again.close()]);
  });

  test("two-factor by the secret on the page: on, new recovery codes, a sign-in with one of them, off", async () => {
    const { visit, username } = await operator();
    const { page } = visit;
    await visit.go("/me");
    await page.getByRole("button", { name: factor.begin }).click();
    const shown = page.getByText(/^[A-Z2-7]{32}$/);
    const secret = (await shown.innerText()).trim();
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor((Date.now() + steps * STEP) / 1000) });
    const field = page.getByRole("textbox", { name: factor.code, exact: true });
    expect(await visit.barriers()).toEqual([]);
    await field.fill("000000");
    await page.getByText(session.code.wrong).waitFor();
    await field.fill(code(-1));
    await page.getByText(factor.codesTitle).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: parts.once.file }).click();
    expect((await saved).suggestedFilename()).toBe("signalbox-recovery-codes.txt");
    await page.getByRole("button", { name: parts.once.kept }).click();
    await page.getByRole("button", { name: factor.renew }).click();
    await field.fill(code(0));
    await page.getByText(factor.codesTitle).waitFor();
    const codes = dialog(page).locator("code", { hasText: /^[a-z0-9]{4}(-[a-z0-9]{4})+$/ });
    const [recovery = ""] = await codes.allInnerTexts();
    // Neither Esc takes them away, nor Back.
    await page.keyboard.press("Escape");
    await dialog(page).getByText(parts.once.first).waitFor();
    await page.getByRole("button", { name: parts.once.kept }).click();

    const other = await stage.visit({ signedIn: false });
    await other.go("/login");
    await other.page.getByLabel(session.username).fill(username);
    await other.page.getByLabel(session.password, { exact: true }).fill(PASSWORD);
    await other.page.getByRole("button", { name: session.signIn }).click();
    await other.page.getByRole("button", { name: session.code.recovery }).click();
    await other.page.getByLabel(session.code.recoveryLabel).fill(recovery);
    await other.page.getByRole("button", { name: session.code.confirm }).click();
    await other.page.getByRole("navigation").first().waitFor();

    await visit.go("/me");
    await page.getByText(factor.codesLeft(9)).waitFor();
    await page.getByRole("button", { name: sessions.endOthers }).click();
    await dialog(page).getByText(sessions.endOthersText(1)).waitFor();
    await dialog(page).getByRole("button", { name: sessions.endOthers }).click();
    await page.getByText(sessions.othersEnded).waitFor();
    await dialog(other.page).getByText(session.ended.title).waitFor();

    await page.getByRole("button", { name: factor.end, exact: true }).click();
    await field.fill(code(1));
    await page.getByRole("button", { name: factor.endConfirm }).click();
    await page.getByText(factor.ended).waitFor();
    await page.getByRole("button", { name: factor.begin }).waitFor();
    expect([visit.problems, other.problems]).toEqual([[], []]);
    await Promise.all([visit.close(), other.close()]);
  });

  test("two tabs: one signs out, sign-in lies over the other; it goes on with what was typed, and so does the first", async () => {
    const { visit, username } = await operator();
    const { page } = visit;
    await visit.go("/users/new");
    await nameOf(page).fill("a draft of two tabs");
    const second = await visit.context.newPage();
    await second.goto(`${visit.url}/users`);
    await second.getByRole("button", { name: username }).filter({ visible: true }).click();
    await second.getByRole("menuitem", { name: words.shell.account.signOut }).click();
    await second.waitForURL((url) => url.pathname === "/login");
    await dialog(page).getByText(session.ended.text(username)).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await signInAgain(page);
    expect(await nameOf(page).inputValue()).toBe("a draft of two tabs");
    await page.getByRole("button", { name: words.users.create }).click();
    await page.getByText(words.users.createdTitle("a draft of two tabs")).waitFor();
    await second.goto(`${visit.url}/users`);
    await second.getByText("a draft of two tabs").first().waitFor();
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test("another language brings its calendar without a reload, and one that was chosen stays", async () => {
    const { visit } = await operator();
    const { page } = visit;
    await visit.go("/me");
    const calendar = () =>
      page
        .locator("input[type='radio'][value='persian'], input[type='radio'][value='gregory']")
        .locator(":scope:checked");
    const speak = async (language: string) => {
      const box = page
        .locator("main")
        .getByRole("combobox")
        .first()
        .or(page.locator("main input[aria-haspopup='listbox']").first())
        .first();
      const option = page.getByRole("option", { name: language });
      // An open list may close while the words around it change.
      const choose = async () => {
        if (!(await option.isVisible())) await box.click();
        return option.click({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
      };
      await expect.poll(choose, { timeout: 60_000 }).toBe(true);
    };
    expect(await calendar().inputValue()).toBe("gregory");
    await speak("فارسی");
    await expect.poll(() => calendar().inputValue()).toBe("persian");
    await page.locator("label", { hasText: fa.me.shown.calendars.gregory }).click();
    await speak("Русский");
    await speak("فارسی");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("fa");
    expect(await calendar().inputValue()).toBe("gregory");
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test("an address that leads nowhere is a page of the panel, with its navigation", async () => {
    const { visit } = await operator();
    await visit.page.goto(`${visit.url}/no/such/page`);
    await visit.page.getByRole("heading", { name: words.shell.missing.title }).waitFor();
    await visit.page.getByRole("navigation").first().waitFor();
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test("a panel that is away: the page says for how long, keeps what is typed, and goes on by itself", async () => {
    const { visit } = await operator();
    const { page } = visit;
    await visit.go("/users/new");
    await nameOf(page).fill("typed while it was away");
    const sign = page.getByRole("status").filter({ visible: true });
    await sign.getByText(words.shell.link.live, { exact: true }).waitFor();
    const list = await visit.context.newPage();
    await list.goto(`${visit.url}/users`);
    const answer = list.locator("main [data-stale]").first();
    await expect.poll(() => answer.getAttribute("data-stale")).toBe("false");
    await stage.panel.stop();
    await sign.getByText(/^Not connected for \d/).waitFor();
    // What a list says is of before: it is dimmed though nothing was asked of it.
    await expect.poll(() => answer.getAttribute("data-stale")).toBe("true");
    await page.getByRole("button", { name: words.users.create }).click();
    await page.getByText(words.parts.unreachable).waitFor();
    await stage.panel.start();
    await sign.getByText(words.shell.link.live, { exact: true }).waitFor();
    await expect.poll(() => answer.getAttribute("data-stale")).toBe("false");
    await page.getByRole("button", { name: words.users.create }).click();
    await page.getByText(words.users.createdTitle("typed while it was away")).waitFor();
    await visit.close();
  });
});
