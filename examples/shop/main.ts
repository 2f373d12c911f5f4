// A shop on one panel: orders become accounts, top-ups and renewals; what happens to accounts comes back as events.
// PANEL=https://panel.example.com TOKEN=sbx_… node main.ts sell order-1 anna
//   sell ORDER NAME          an account of 30 days and 50 GiB; prints its link
//   renew ORDER NAME         30 more days, counters to zero
//   top-up ORDER NAME GIB    more volume
//   suspend | resume NAME    switches the account off or on
//   follow                   prints events; continues where it stopped (cursor in ./cursor)
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ApiError, Panel } from "@signalbox/client";

const GIB = 2 ** 30;
const DAY = 86_400;

const { PANEL = "http://127.0.0.1:8080", TOKEN = "" } = process.env;
const panel = new Panel({ url: PANEL, token: TOKEN, strict: true });

/** The account of a customer, found by the shop's own reference. */
async function accountOf(name: string) {
  const { items } = await panel.call("listUsers", { query: { externalId: name } });
  const [user] = items;
  if (!user) throw new Error(`no account for ${name}`);
  return user;
}

/** Under the order's number: a shop that is killed here can run the same order again, and it happens once. */
async function sell(order: string, name: string): Promise<void> {
  const body = { name, externalId: name, volume: 50 * GIB, duration: 30 * DAY };
  const user = await panel.call("createUser", { body }, { idempotencyKey: order });
  console.log(user.subUrl);
}

async function renew(order: string, name: string): Promise<void> {
  const { id } = await accountOf(name);
  const user = await panel.call("renewUser", { path: { id }, body: { days: 30 } }, { idempotencyKey: order });
  // Before the first connection there is no date yet.
  const notBegun = `${user.duration / DAY} days from the first connection`;
  console.log(user.expiry === 0 ? notBegun : `until ${new Date(user.expiry * 1000).toISOString()}`);
  // Paid for, and off all the same: a person switched it off, or its reseller's allowance or date has ended.
  if (!user.enable) console.log(`it stays off: ${user.disabledReason}`);
}

async function topUp(order: string, name: string, gib: number): Promise<void> {
  const { id } = await accountOf(name);
  const user = await panel.call("extendUser", { path: { id }, body: { bytes: gib * GIB } }, { idempotencyKey: order });
  console.log(`${user.volume / GIB} GiB`);
}

async function setEnabled(name: string, enable: boolean): Promise<void> {
  const { id } = await accountOf(name);
  await panel.call("updateUser", { path: { id }, body: { enable } });
}

async function follow(): Promise<void> {
  const cursor = existsSync("cursor") ? readFileSync("cursor", "utf8") : "";
  for await (const { event, cursor: next } of panel.followEvents({ cursor })) {
    console.log(event.event, JSON.stringify(event.data));
    writeFileSync("cursor", next);
  }
}

const [command, first = "", second = "", third = "1"] = process.argv.slice(2);
const commands: Readonly<Record<string, () => Promise<void>>> = {
  sell: () => sell(first, second),
  renew: () => renew(first, second),
  "top-up": () => topUp(first, second, Number(third)),
  suspend: () => setEnabled(first, false),
  resume: () => setEnabled(first, true),
  follow,
};
try {
  const run = commands[command ?? ""];
  if (!run) throw new Error(`one of: ${Object.keys(commands).join(", ")}`);
  await run();
} catch (error) {
  // The panel's own words, and the field that it refuses.
  console.error(error instanceof ApiError ? `${error.code}: ${error.message}` : error);
  process.exitCode = 1;
}
