// What a person chose follows to another browser: it moves over once, each change sends its own part alone, and without
// the panel the browser's copy stands.
import { expect, test } from "vitest";
import { KeptChoices, type Shelf } from "../../../src/web/browser/kept.ts";

const PERSON = 7;

class Browser implements Shelf {
  readonly items = new Map<string, string>();
  readonly kept: KeptChoices;

  constructor(panel: Panel, items: Readonly<Record<string, string>> = {}) {
    for (const [key, value] of Object.entries(items)) this.items.set(key, value);
    this.kept = new KeptChoices(this, panel);
  }

  get length(): number {
    return this.items.size;
  }
  key(index: number): string | null {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
}

class Panel {
  whole: Readonly<Record<string, unknown>> = {};
  away = false;
  writes = 0;

  readonly read = async (): Promise<Readonly<Record<string, unknown>>> => {
    if (this.away) throw new Error("away");
    return Promise.resolve(this.whole);
  };
  readonly write = async (whole: Readonly<Record<string, unknown>>): Promise<void> => {
    if (this.away) throw new Error("away");
    this.writes++;
    this.whole = whole;
    return Promise.resolve();
  };
}

test("what the browser has moves over once; another browser begins with it", async () => {
  const panel = new Panel();
  const old = new Browser(panel, {
    "signalbox.language": "fa",
    "signalbox.views.7.users": "[1]",
    "signalbox.views.8.users": "[another's]",
    "signalbox.draft": "nobody's business",
  });
  await old.kept.begin(PERSON);
  expect(panel.whole).toEqual({ language: "fa", "views.users": "[1]" });
  const other = new Browser(panel, { "signalbox.language": "en", "signalbox.density": "compact" });
  await other.kept.begin(PERSON);
  expect(Object.fromEntries(other.items)).toEqual({
    "signalbox.language": "fa",
    "signalbox.density": "compact",
    "signalbox.views.7.users": "[1]",
  });
  expect(panel.writes).toBe(1);
});

test("two browsers at once keep what the other chose, and what the panel keeps for others", async () => {
  const panel = new Panel();
  panel.whole = { of: "a newer page" };
  const [one, two] = [new Browser(panel), new Browser(panel)];
  await Promise.all([one.kept.begin(PERSON), two.kept.begin(PERSON)]);
  one.kept.set("columns.users", "{}");
  await one.kept.send();
  two.kept.set("theme", "dark");
  await two.kept.send();
  expect(panel.whole).toEqual({ of: "a newer page", "columns.users": "{}", theme: "dark" });
});

test("without the panel the browser's copy stands, and is sent once it is back", async () => {
  const panel = new Panel();
  panel.whole = { density: "comfortable" };
  const browser = new Browser(panel, { "signalbox.density": "comfortable" });
  await browser.kept.begin(PERSON);
  panel.away = true;
  browser.kept.set("density", "compact");
  await browser.kept.send();
  // The next page load, before and after it is back.
  const reloaded = new Browser(panel, Object.fromEntries(browser.items));
  await reloaded.kept.begin(PERSON);
  expect(reloaded.kept.get("density")).toBe("compact");
  panel.away = false;
  await reloaded.kept.begin(PERSON);
  expect([reloaded.kept.get("density"), panel.whole]).toEqual(["compact", { density: "compact" }]);
});

test("without a session nothing is sent", async () => {
  const panel = new Panel();
  const browser = new Browser(panel);
  browser.kept.set("language", "ru");
  await browser.kept.send();
  expect([browser.items.get("signalbox.language"), panel.writes]).toEqual(["ru", 0]);
});
