// docs/shop.md: every block runs, in the order of the page, in its language, against a real panel. The examples run
// with the client as it is packed.
import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WholePanel } from "../whole-panel.ts";
import { hasPython, hasShell } from "./programs.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

let panel: WholePanel;
let folder: string;
let page: string;
beforeAll(async () => {
  page = await readFile(`${ROOT}docs/shop.md`, "utf8");
  folder = await mkdtemp(`${tmpdir()}/signalbox-shop-`);
  panel = await WholePanel.open("sqlite");
  await run(process.execPath, ["scripts/client/pack.ts"], { cwd: ROOT });
  await mkdir(`${folder}/node_modules/@signalbox`, { recursive: true });
  await cp(`${ROOT}.client`, `${folder}/node_modules/@signalbox/client`, { recursive: true });
  await writeFile(`${folder}/package.json`, '{"type":"module"}');
}, 120_000);
afterAll(async () => {
  await panel.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** All blocks of a language, in order, as one program. */
function program(language: string): string {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))];
  expect(blocks.length).toBeGreaterThan(8);
  return blocks.map(([, code = ""]) => code).join("\n");
}

const environment = () => ({ ...process.env, PANEL: panel.url, TOKEN: panel.token });

/** What the page did to its customer. */
async function customer(name: string) {
  const { body } = await panel.call("GET", `/api/v1/users?externalId=${name}`);
  return body.items[0];
}

const LANGUAGES = [
  { language: "ts", suffix: "ts", command: [process.execPath, "shop.ts"], isHere: true },
  { language: "python", suffix: "py", command: ["python3", "shop.py"], isHere: hasPython },
  { language: "bash", suffix: "sh", command: ["bash", "-euo", "pipefail", "shop.sh"], isHere: hasShell },
];

for (const { language, suffix, command, isHere } of LANGUAGES)
  test.skipIf(!isHere)(
    `the page's ${language} blocks sell, renew, top up, suspend, revoke and follow`,
    async () => {
      const [file = "", ...args] = command;
      const more = language === "ts" ? "\nconsole.log(seen.length > 0);\n" : "";
      await writeFile(`${folder}/shop.${suffix}`, program(language) + more);
      const { stdout } = await run(file, args, { cwd: folder, env: environment() });
      const links = stdout.match(/^https?:\/\/\S+$/gm) ?? [];
      const user = await customer(`customer-${suffix}`);
      expect(user).toMatchObject({ name: `anna-${suffix}`, enable: true, volume: 60 * 2 ** 30 });
      // The link that was handed out first is another one now.
      expect(links).toHaveLength(2);
      expect(links[0]).not.toBe(links[1]);
      expect(links[1]).toBe(user.subUrl);
      expect(stdout).toMatch(/duplicate/);
    },
    120_000,
  );

test.skipIf(!hasPython)("the page's Python tells a genuine delivery from another", async () => {
  const code = /^```python\n(import hashlib[\s\S]*?)^```/m.exec(page)?.[1] ?? "";
  const mac = createHmac("sha256", "s").update("1000.{}").digest("hex");
  const calls = [
    `"t=1000,v1=${mac}", b"{}", 1001`,
    `"t=1000,v1=${mac}", b"{ }", 1001`,
    `"t=1000,v1=${mac}", b"{}", 1301`,
  ];
  const text = `${code}\nprint(${calls.map((args) => `is_genuine("s", ${args})`).join(", ")})\n`;
  await writeFile(`${folder}/genuine.py`, text);
  expect((await run("python3", ["genuine.py"], { cwd: folder })).stdout.trim()).toBe("True False False");
});

async function example(name: string, args: readonly string[]) {
  await cp(`${ROOT}examples/${name}/main.ts`, `${folder}/${name}.ts`);
  return run(process.execPath, [`${name}.ts`, ...args], { cwd: folder, env: environment() });
}

test("examples/shop: an order that is repeated happens once", async () => {
  const first = await example("shop", ["sell", "order-9", "olga"]);
  expect((await example("shop", ["sell", "order-9", "olga"])).stdout).toBe(first.stdout);
  expect((await example("shop", ["top-up", "order-10", "olga", "5"])).stdout.trim()).toBe("55 GiB");
  expect((await example("shop", ["renew", "order-11", "olga"])).stdout).toContain("60 days from the first connection");
  await example("shop", ["suspend", "olga"]);
  expect(await customer("olga")).toMatchObject({ enable: false });
  await example("shop", ["resume", "olga"]);
  await expect(example("shop", ["sell", "order-12", "olga"])).rejects.toMatchObject({
    stderr: expect.stringContaining("duplicate"),
  });
}, 120_000);

test("examples/webhook-receiver: takes the panel's deliveries, and nobody else's", async () => {
  await cp(`${ROOT}examples/webhook-receiver/main.ts`, `${folder}/receiver.ts`);
  const secret = "secret-of-the-receiver";
  const port = await freePort();
  const receiver = spawn(process.execPath, ["receiver.ts"], {
    cwd: folder,
    env: { ...process.env, SECRET: secret, PORT: String(port) },
  });
  let told = "";
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (told.includes(text)) resolve();
      };
      receiver.stdout.on("data", (chunk: Buffer) => {
        told += chunk.toString();
        look();
      });
      receiver.once("exit", () => reject(new Error(`the receiver ended: ${told}`)));
      look();
    });
  try {
    await says("listens");
    const url = `http://127.0.0.1:${port}/`;
    const forged = await fetch(url, { method: "POST", body: "{}", headers: { "x-panel-signature": "t=1,v1=00" } });
    expect(forged.status).toBe(401);
    await panel.call("PUT", "/api/v1/settings/webhook_allow_private", { value: "true" });
    const made = await panel.call("POST", "/api/v1/webhooks", { name: "receiver", url, secret, events: ["user.*"] });
    expect(made.status).toBe(200);
    const heard = says("user.created");
    await panel.call("POST", "/api/v1/users", { name: "heard" });
    await heard;
  } finally {
    receiver.removeAllListeners("exit");
    receiver.kill();
  }
}, 120_000);

interface Said {
  readonly chat_id: number;
  readonly text: string;
}

/** Telegram's two methods that the bot calls; a fake, since the real one is out of reach. */
async function fakeTelegram() {
  const updates: object[] = [];
  const said: Said[] = [];
  const server = createServer((request, response) => {
    void readText(request).then(async (body) => {
      const asked = JSON.parse(body) as Said & { readonly offset?: number };
      if (request.url === "/bot1:a/sendMessage") said.push(asked);
      const result = request.url === "/bot1:a/getUpdates" ? updates.splice(0) : {};
      if (Array.isArray(result) && result.length === 0) await new Promise((done) => setTimeout(done, 50));
      response.end(JSON.stringify({ ok: true, result }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const ask = (id: number, chat: number, words: string) =>
    updates.push({ update_id: id, message: { message_id: id, text: words, chat: { id: chat } } });
  return { url: `http://127.0.0.1:${port}`, said, ask, close: () => server.close() };
}

test("examples/telegram-shop-bot: a message that comes twice buys once; news reach their customer", async () => {
  const telegram = await fakeTelegram();
  await cp(`${ROOT}examples/telegram-shop-bot/main.ts`, `${folder}/bot.ts`);
  const env = { ...environment(), BOT: "1:a", TELEGRAM: telegram.url };
  const bot = spawn(process.execPath, ["bot.ts"], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  const answers = async (count: number) => {
    await expect.poll(() => telegram.said.length, { timeout: 50_000 }).toBe(count);
    return telegram.said.map(({ text: words }) => words);
  };
  try {
    telegram.ask(1, 77, "/usage");
    telegram.ask(2, 77, "/buy");
    telegram.ask(2, 77, "/buy");
    telegram.ask(3, 77, "/link");
    telegram.ask(4, 77, "/buy");
    telegram.ask(4, 77, "/buy");
    telegram.ask(5, 77, "/usage");
    const [none, bought, same, link, renewed, again, usage] = await answers(7);
    expect(none).toContain("/buy");
    const user = await customer("telegram-77");
    expect([bought, same, link]).toEqual([`Your link: ${user.subUrl}`, `Your link: ${user.subUrl}`, user.subUrl]);
    expect([renewed, again]).toEqual(["Renewed.", "Renewed."]);
    expect(usage).toBe("50.0 GiB left");
    expect(user).toMatchObject({ volume: 50 * 2 ** 30, duration: 60 * 86_400 });
    await panel.call("PATCH", `/api/v1/users/${user.id}`, { duration: 0, expiry: Math.floor(Date.now() / 1000) - 60 });
    expect((await answers(8)).at(-1)).toContain("has ended");
    expect(telegram.said.every(({ chat_id: chat }) => chat === 77)).toBe(true);
  } finally {
    bot.kill();
    telegram.close();
  }
}, 120_000);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
