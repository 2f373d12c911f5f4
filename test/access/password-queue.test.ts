// Passwords are derived few at a time: a flood of sign-ins is refused past a bounded queue, and who is known comes
// first.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PasswordQueue } from "../../src/access/login/password-queue.ts";
import { verifyPassword } from "../../src/lib/password.ts";
import { openAccessPanel, PASSWORD, setUp, type AccessPanel } from "./panel.ts";

// rule access.login.6
test("eight wait for each core; the known go first, and past the last place they take a stranger's", async () => {
  const queue = new PasswordQueue(1);
  const ended: string[] = [];
  const ask = async (name: string, standing: "known" | "stranger") => {
    try {
      await queue.matches(undefined, "a password", standing);
      ended.push(name);
    } catch (error) {
      ended.push(`${name} refused`);
      expect(error).toMatchObject({ status: 503, detail: { code: "too_busy", retryAfter: 2 } });
    }
  };
  const flood = Array.from({ length: 10 }, (_, turn) => ask(`stranger ${turn}`, "stranger"));
  await Promise.all([...flood, ask("known", "known")]);
  expect(ended.slice(0, 2).toSorted()).toEqual(["stranger 8 refused", "stranger 9 refused"]);
  expect(ended.slice(2)).toEqual([
    "stranger 0",
    "known",
    ...Array.from({ length: 7 }, (_, turn) => `stranger ${turn + 1}`),
  ]);
  expect(await verifyPassword(await queue.hash("a password", "known"), "a password")).toBe(true);
});

test("what fails gives its place back; without an account the work is the same, and nothing is right", async () => {
  const queue = new PasswordQueue(1);
  await expect(queue.matches("no stored form", "x", "known")).rejects.toThrow("not an argon2id PHC text");
  expect(await queue.matches(undefined, "x", "known")).toBe(false);
  expect(await queue.matches(await queue.hash("x", "known"), "x", "known")).toBe(true);
});

test("nothing derives a password beside the queue", async () => {
  const files = (await readdir("src", { recursive: true })).filter((file) => file.endsWith(".ts"));
  const names = async (file: string) =>
    (await readFile(join("src", file), "utf8")).includes("lib/password.ts") ? [file] : [];
  expect((await Promise.all(files.map(names))).flat()).toEqual(["access/login/password-queue.ts"]);
});

describe("a flood of sign-ins", () => {
  let panel: AccessPanel;
  beforeAll(async () => {
    panel = await openAccessPanel("sqlite");
    await setUp(panel);
  });
  afterAll(() => panel.dispose());

  // rule access.login.6
  test("from 240 addresses: past the queue it is 503, and a sign-in from a known address is done before what came earlier", async () => {
    const ended: string[] = [];
    const login = async (name: string, ip: string, username: string, password: string) => {
      const answer = await panel.send("POST", "/api/login", { ip, body: { username, password } });
      ended.push(`${name} ${answer.status}`);
      return answer;
    };
    const flood = Array.from({ length: 240 }, (_, turn) =>
      login("flood", `198.51.100.${turn}`, turn % 2 === 0 ? "root" : `nobody${turn}`, "guess"),
    );
    const refused = flood.map(async (attempt) =>
      (await attempt).status === 503 ? attempt : Promise.reject(new Error("looked at")),
    );
    expect(await Promise.any(refused)).toMatchObject({ body: { code: "too_busy" }, headers: { "retry-after": "2" } });
    expect((await login("known", "192.0.2.1", "root", PASSWORD)).status).toBe(200);
    await Promise.all(flood);
    const count = (what: string, among = ended) => among.filter((each) => each === what).length;
    expect(count("flood 401", ended.slice(ended.indexOf("known 200")))).toBeGreaterThan(0);
    expect(count("flood 401") + count("flood 503")).toBe(240);
    expect(count("flood 401")).toBeLessThan(120);
  });
});
