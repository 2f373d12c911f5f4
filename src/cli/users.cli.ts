// `signalbox users list|show|disable|enable|renew`: accounts from the command line, under the rules of the routes.
import { z } from "zod";
import { readVerb, refuseLimit, type ValuesOf } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { onRecords } from "./on-records.ts";
import { plain } from "./paint.ts";
import type { Source } from "./source.ts";
import { parseMoment } from "./terminal/moments.ts";
import { show } from "./terminal/show.ts";
import { clockTime } from "./terminal/times.ts";
import { User, UserList, Verdict } from "./users/answers.ts";
import { userIdOf, WHO } from "./users/asked.ts";
import { userLines, userTable } from "./users/detail.ts";
import { standingOf } from "./users/status-words.ts";

const STATUSES = ["active", "disabled", "pending", "expired", "limited"];
const SORTS = ["id", "name", "usage", "remaining", "expiry", "online_at", "created_at", "updated_at"];

export const USERS_HELP = `signalbox users list [--search TEXT] [--status STATUS] [--owner ID] [--sort BY] [--reverse] [--limit N] [--json]
signalbox users show WHO [--json]
signalbox users disable WHO [--json]
signalbox users enable WHO [--json]
signalbox users renew WHO [--days N | --plan ID] [--until DATE] [--json]

Accounts, beside a running panel or without one, under the rules of the API: the same refusals, events and record in the
audit log.

  list      those that match, as GET /api/v1/users answers
  show      one: its state, and in order what keeps it from connecting
  disable   switches it off, until a person switches it on; fails for one that its limits have off already
  enable    switches it on; fails where its limits or its reseller keep it off
  renew     a whole term more and counters at zero; one that a person switched off stays off, which is said

  --search TEXT     a part of name, note, contact or link; a whole UUID or token
  --status STATUS   ${STATUSES.join(", ")}, or several with commas
  --owner ID        of a reseller; 0: of the panel
  --sort BY         ${SORTS.join(", ")}
  --reverse         the other way round
  --limit N         how many at most, up to 1000 (100)
  --days N          renews by so many days, which are its term from then on; without it by the term it was sold with
  --plan ID         renews by this plan's limits and length
  --until DATE      the new end, '2026-12-31' or '2026-12-31 15:10', in place of a term
  --json            as in a pipe: what the API answers; show adds the verdict as \`verdict\`

${WHO}
`;

const OPTIONS = {
  search: { type: "string" },
  status: { type: "string" },
  owner: { type: "string" },
  sort: { type: "string" },
  reverse: { type: "boolean" },
  limit: { type: "string" },
  days: { type: "string" },
  plan: { type: "string" },
  until: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

/** Which options a verb takes. */
const TAKEN = {
  list: ["search", "status", "owner", "sort", "reverse", "limit"],
  show: [],
  disable: [],
  enable: [],
  renew: ["days", "plan", "until"],
} as const satisfies Readonly<Record<string, readonly (keyof typeof OPTIONS)[]>>;
type Verb = keyof typeof TAKEN;

type Asked =
  | { readonly verb: "list"; readonly target: string; readonly json: boolean }
  | {
      readonly verb: Exclude<Verb, "list">;
      readonly who: string;
      readonly renewal: Readonly<Record<string, number>>;
      readonly json: boolean;
    };

type Values = ValuesOf<typeof OPTIONS>;

/** Throws a sentence for bad usage. */
function readArguments(argv: readonly string[]): Asked {
  const { verb, values, rest } = readVerb(argv, OPTIONS, TAKEN);
  const [who, ...more] = rest;
  const { json } = values;
  if (verb === "list") {
    if (who !== undefined) throw new Error("list takes no name: --search finds accounts");
    return { verb, target: listTarget(values), json };
  }
  if (who === undefined || who === "" || more.length > 0) throw new Error(`${verb} needs one account`);
  return { verb, who, renewal: renewalOf(values), json };
}

function listTarget({ search, status, owner, sort, reverse = false, limit = "100" }: Values): string {
  refuseLimit("--limit", limit);
  if (sort !== undefined && !SORTS.includes(sort)) throw new Error(`--sort must be one of ${SORTS.join(", ")}`);
  if (status !== undefined && !status.split(",").every((each) => STATUSES.includes(each)))
    throw new Error(`--status must be one of ${STATUSES.join(", ")}`);
  const query = new URLSearchParams({ limit });
  const given = {
    q: search,
    status,
    admin_id: owner === undefined ? undefined : String(idOf(owner, "--owner")),
    sort: sort ?? (reverse ? "id" : undefined),
    order: reverse ? "desc" : undefined,
  };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return `/users?${query.toString()}`;
}

function renewalOf({ days, plan, until }: Values): Readonly<Record<string, number>> {
  if (until !== undefined && !/^\d{4}-\d\d-\d\d/.test(until)) throw new Error("--until is no date like '2026-12-31'");
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) throw new Error("--days must be a number of days");
  return {
    ...(days === undefined ? {} : { days: Number(days) }),
    ...(plan === undefined ? {} : { planId: idOf(plan, "--plan") }),
    ...(until === undefined ? {} : { expiry: parseMoment(until, "--until") }),
  };
}

function idOf(text: string, option: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${option} must be an id`);
  return Number(text);
}

export function users(argv: readonly string[]): Promise<number> {
  return onRecords(argv, { read: readArguments, help: USERS_HELP, carryOut });
}

async function carryOut(asked: Asked, source: Source): Promise<number> {
  if (asked.verb === "list") return list(source, asked.target, asked.json);
  const id = await userIdOf(source, asked.who);
  if (asked.verb === "show") return showOne(source, id, asked.json);
  return change(source, asked.verb, id, asked.renewal, asked.json);
}

async function list(source: Source, target: string, json: boolean): Promise<number> {
  const view = {
    targets: [target],
    answer: ([page]: readonly unknown[]) => z.looseObject({}).parse(page),
    lines: (answer: object, look: Parameters<typeof userTable>[1]) => userTable(UserList.parse(answer), look),
  };
  await show(source, view, { json: json || !process.stdout.isTTY, watch: false });
  return EXIT.done;
}

const Shown = User.extend({ verdict: Verdict });

async function showOne(source: Source, id: number, json: boolean): Promise<number> {
  const view = {
    targets: [`/users/${id}`, `/users/${id}/verdict`],
    answer: ([user, verdict]: readonly unknown[]) => ({ ...z.looseObject({}).parse(user), verdict }),
    lines(answer: object, look: Parameters<typeof userTable>[1]) {
      const { verdict, ...user } = Shown.parse(answer);
      return userLines(user, verdict, look);
    },
  };
  await show(source, view, { json: json || !process.stdout.isTTY, watch: false });
  return EXIT.done;
}

type Change = Exclude<Verb, "list" | "show">;

async function change(
  source: Source,
  verb: Change,
  id: number,
  renewal: Readonly<Record<string, number>>,
  json: boolean,
): Promise<number> {
  const answer =
    verb === "renew"
      ? await source.write("POST", `/users/${id}/renew`, renewal)
      : await source.write("PATCH", `/users/${id}`, { enable: verb === "enable" });
  const user = User.parse(answer);
  const now = Math.floor(Date.now() / 1000);
  const { words } = standingOf(user, now);
  const end = user.enable && user.expiry > 0 ? `, until ${clockTime(user.expiry, now)}` : "";
  if (json || !process.stdout.isTTY) process.stdout.write(`${JSON.stringify(answer)}\n`);
  else process.stdout.write(`${plain(user.name)} (${id}): ${words}${end}\n`);
  const amiss = amissAfter(verb, user, words);
  if (amiss !== undefined) process.stderr.write(`signalbox: ${amiss}\n`);
  // A renewal was made, whatever else keeps the account off: to repeat it would add another term.
  return amiss === undefined || verb === "renew" ? EXIT.done : EXIT.failed;
}

/** What is not as it was asked for after an answered change: the API says so with a 200. */
function amissAfter(verb: Change, user: User, words: string): string | undefined {
  const name = plain(user.name);
  if (verb !== "disable") return user.enable ? undefined : `${name} stays ${words}`;
  if (user.disabledReason === "manual") return undefined;
  return `${name} was off already, by its limits (${user.disabledReason}): they may bring it back`;
}
