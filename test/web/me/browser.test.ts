// Programs by their User-Agent, for people who look for their own devices.
import { expect, test } from "vitest";
import { programOf } from "../../../src/web/me/browser.ts";

const AGENTS = {
  "Chrome on Windows":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "Edge on Windows":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
  "Safari on iOS":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  "Firefox on Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
  "Chrome on Android":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
};

test.each(Object.entries(AGENTS))("%s", (name, agent) => {
  const { browser, system } = programOf(agent);
  expect(`${browser ?? ""} on ${system ?? ""}`).toBe(name);
});

test("what is unknown is not guessed", () => {
  expect(programOf("<script>alert(1)</script>")).toEqual({ browser: undefined, system: undefined });
});
