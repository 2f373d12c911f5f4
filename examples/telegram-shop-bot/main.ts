// A bot that sells: /buy makes or renews the account of a chat, /link sends its link, /usage what is left. It also
// tells a customer when the account is about to end, or is used up.
// PANEL=https://panel.example.com TOKEN=sbx_… BOT=123:abc node main.ts
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ApiError, Panel } from "@signalbox/client";

const GIB = 2 ** 30;
const DAY = 86_400;

const { PANEL = "http://127.0.0.1:8080", TOKEN = "", BOT = "", TELEGRAM = "https://api.telegram.org" } = process.env;
const panel = new Panel({ url: PANEL, token: TOKEN });

interface Update {
  readonly update_id: number;
  readonly message?: { readonly message_id: number; readonly text?: string; readonly chat: { readonly id: number } };
}

async function telegram<T>(method: string, body: object): Promise<T> {
  const response = await fetch(`${TELEGRAM}/bot${BOT}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { readonly ok: boolean; readonly description?: string; readonly result: T };
  if (!answer.ok) throw new Error(`${method}: ${answer.description}`);
  return answer.result;
}

const say = (chat: number, text: string) => telegram("sendMessage", { chat_id: chat, text });

async function accountOf(chat: number) {
  const { items } = await panel.call("listUsers", { query: { externalId: `telegram-${chat}` } });
  return items[0];
}

/** `message` is the order's number: one that is handled twice buys once, and is answered as before. */
async function buy(chat: number, message: number): Promise<string> {
  const order = `telegram-${chat}-${message}`;
  const body = { name: `telegram-${chat}`, externalId: `telegram-${chat}`, volume: 50 * GIB, duration: 30 * DAY };
  try {
    return `Your link: ${(await panel.call("createUser", { body }, { idempotencyKey: order })).subUrl}`;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "duplicate")) throw error;
  }
  const known = await accountOf(chat);
  if (!known) throw new Error(`the name telegram-${chat} is somebody else's`);
  // The days that are paid for, whatever the account was made with.
  const renewal = { path: { id: known.id }, body: { days: 30 } };
  const { expiry, disabledReason } = await panel.call("renewUser", renewal, { idempotencyKey: `${order}-renewal` });
  const renewed = expiry === 0 ? "Renewed." : `Renewed until ${new Date(expiry * 1000).toLocaleDateString()}.`;
  return disabledReason.startsWith("resale-") ? `${renewed} ${ENDS[disabledReason]}` : renewed;
}

async function answerTo(text: string, chat: number, message: number): Promise<string> {
  if (text === "/buy") return buy(chat, message);
  const user = await accountOf(chat);
  if (!user) return "You have no account yet: /buy";
  if (text === "/link") return user.subUrl;
  if (text !== "/usage") return "/buy, /link or /usage";
  const left = user.volume === 0 ? "no limit" : `${((user.volume - user.up - user.down) / GIB).toFixed(1)} GiB left`;
  return user.expiry === 0 ? left : `${left}, until ${new Date(user.expiry * 1000).toLocaleDateString()}`;
}

/** Messages of customers, one after the other. */
async function serve(): Promise<void> {
  let offset = 0;
  for (;;) {
    const updates = await telegram<readonly Update[]>("getUpdates", { offset, timeout: 25 });
    for (const { update_id: id, message } of updates) {
      offset = id + 1;
      if (message?.text === undefined) continue;
      const { chat, message_id: number, text } = message;
      const answer = await answerTo(text, chat.id, number).catch((error: unknown) => {
        console.error(error instanceof ApiError ? `${error.code}: ${error.message}` : error);
        return "That did not work. Please write to us.";
      });
      await say(chat.id, answer);
    }
  }
}

const NEWS: Readonly<Record<string, string>> = {
  "user.expiring": "Your account ends soon: /buy",
  "user.quota_warning": "Little of your volume is left.",
};

/** By the reason: what the customer used up, and what the seller did. Buying more mends only the first. */
const ENDS: Readonly<Record<string, string>> = {
  expiry: "Your account has ended: /buy",
  volume: "Your volume is used up: /buy",
  "resale-expiry": "The service is interrupted on our side. You need not buy anything; we are on it.",
  "resale-volume": "The service is interrupted on our side. You need not buy anything; we are on it.",
};

function newsOf({ event, data }: { readonly event: string; readonly data: object }): string | undefined {
  const ended = event === "user.expired" || event === "user.quota_reached";
  return ended && "reason" in data ? ENDS[String(data.reason)] : NEWS[event];
}

/** Tells customers what happens to their accounts; continues where it stopped. */
async function notify(): Promise<void> {
  const cursor = existsSync("cursor") ? readFileSync("cursor", "utf8") : "";
  for await (const { event, cursor: next } of panel.followEvents({ cursor })) {
    const news = newsOf(event);
    const name = "name" in event.data ? event.data.name : "";
    const [, chat] = /^telegram-(-?\d+)$/.exec(name ?? "") ?? [];
    if (news !== undefined && chat !== undefined) await say(Number(chat), news);
    writeFileSync("cursor", next);
  }
}

await Promise.all([serve(), notify()]);
