// Accounts on a terminal: the list as a table, and one with its verdict. Secrets are not drawn, but for the link, which
// is there to be handed over. Pure: answers in, lines out.
import { plain } from "../paint.ts";
import { fieldLine, fieldLines } from "../terminal/fields.ts";
import { countLine, rowLines, type Column, type Look } from "../terminal/table.ts";
import { clockTime, span } from "../terminal/times.ts";
import type { User, UserList, Verdict } from "./answers.ts";
import { endOf, standingOf, usedOf } from "./status-words.ts";

const COLUMNS: readonly Column<User>[] = [
  { head: "ID", text: ({ id }) => String(id) },
  { head: "NAME", text: ({ name }) => plain(name), colour: () => "bold", least: 8 },
  {
    head: "STATE",
    text: (user, now) => standingOf(user, now).words,
    colour: ({ enable }) => (enable ? "green" : "yellow"),
    least: 10,
  },
  { head: "USED", text: used },
  { head: "ENDS", text: endOf, least: 8 },
  { head: "ONLINE", text: ({ onlineAt }, now) => ago(onlineAt, now) },
  { head: "GROUP", text: ({ group }) => plain(group) || "-", least: 5 },
];

function used(user: User): string {
  return `${bytesText(usedOf(user))}${user.volume > 0 ? ` of ${bytesText(user.volume)}` : ""}`;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** `1.5 GiB`: three digits say enough. */
function bytesText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** power;
  const digits = power === 0 || amount >= 100 ? 0 : amount >= 10 ? 1 : 2;
  return `${Number(amount.toFixed(digits))} ${UNITS[power] ?? ""}`;
}

function ago(moment: number, now: number): string {
  return moment === 0 ? "never" : `${span(now - moment)} ago`;
}

export function userTable({ items, total }: UserList, look: Look): string[] {
  if (total === 0) return [look.paint("dim", "no users")];
  return [...rowLines(COLUMNS, items, look), countLine(items.length, total, "user", look)];
}

export function userLines(user: User, verdict: Verdict, look: Look): string[] {
  const { paint, now } = look;
  const { words, colour } = standingOf(user, now);
  const field = (label: string, ...paragraphs: string[]) => fieldLines(label, paragraphs, look);
  const by = user.offBy === "" ? "" : `, by ${plain(user.offBy)}`;
  const end = user.expiry > 0 ? `, at ${clockTime(user.expiry, now)}` : "";
  const fetched =
    user.subFetchedAt === 0
      ? "never"
      : `${ago(user.subFetchedAt, now)} by ${plain(user.subClient) || "an unnamed app"}`;
  return [
    `${paint("bold", plain(user.name))}  ${paint("dim", `user ${user.id}`)}`,
    "",
    fieldLine(
      "State",
      `${paint(colour, words)}  for ${span(now - user.since)}, since ${clockTime(user.since, now)}${by}`,
      look,
    ),
    ...field("Used", used(user)),
    ...field("Ends", `${endOf(user, now)}${end}`),
    ...field("Online", ago(user.onlineAt, now)),
    ...field("Fetched", fetched),
    ...field("Link", plain(user.subUrl)),
    ...field("Owner", user.adminId === 0 ? "the panel" : `reseller ${user.adminId}`),
    ...(user.group === "" ? [] : field("Group", plain(user.group))),
    ...(user.desc === "" ? [] : field("Note", plain(user.desc))),
    "",
    ...verdictLines(verdict, look),
  ];
}

const COLOURS = { ok: "green", failed: "red", unknown: "yellow" } as const;
const WIDEST = "unknown".length;

/** What failed, what is not known and what is noted, each with what would mend it; what is well is only counted. */
function verdictLines({ ok, headline, checks }: Verdict, look: Look): string[] {
  const { paint } = look;
  const told = checks.filter(({ state, text }) => state !== "ok" || text !== "");
  const well = checks.length - told.length;
  return [
    fieldLine(
      "Verdict",
      paint(ok ? "green" : "red", ok ? "nothing seen keeps it from connecting" : plain(headline)),
      look,
    ),
    ...told.map(({ check, state, text, action }) => {
      const mends = action ? `  (${action.method} ${action.path})` : "";
      return `  ${paint(COLOURS[state], state.padEnd(WIDEST))}  ${check}: ${plain(text)}${paint("dim", mends)}`;
    }),
    `  ${paint("green", "ok".padEnd(WIDEST))}  ${well} of ${checks.length} checks`,
  ];
}
