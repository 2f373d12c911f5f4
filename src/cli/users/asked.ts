// Which account is meant: by its id, its whole name, or a key that its subscriber sends along (the link, its id or
// token, a UUID). Nothing is guessed: a part of a name is none, and what means two accounts is refused.
import { z } from "zod";
import { plain } from "../paint.ts";
import type { Source } from "../source.ts";
import { Keyed, User, UserList } from "./answers.ts";

export const WHO =
  "WHO: an id, a whole name, a subscription link, its id or token, or a UUID; what means two accounts is refused";

/** Names like it that are told. */
const TOLD = 5;
const ID = /^\d{1,15}$/;
const SUB_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** A token or a UUID, as the search finds them by the whole. */
const KEY = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const Page = z.object({ items: z.array(Keyed) });

interface Found {
  readonly id: number;
  readonly name: string;
}

/** The id of the account that is meant. Rejects with a sentence that tells accounts like it. */
export async function userIdOf(source: Source, asked: string): Promise<number> {
  const found = new Map<number, Found>();
  for (const each of [
    ...(await byName(source, asked)),
    ...(await byId(source, asked)),
    ...(await byKey(source, asked)),
  ])
    found.set(each.id, each);
  const [one, other] = found.values();
  if (one && other)
    throw new Error(`${plain(asked)} means two accounts, ${said(one)} and ${said(other)}: ask in another way`);
  return one?.id ?? nobody(source, asked);
}

async function byName(source: Source, name: string): Promise<readonly Found[]> {
  // What no account can be called is no name.
  return name === "" || name.length > 128 ? [] : pageOf(source, { name });
}

async function byId(source: Source, asked: string): Promise<readonly Found[]> {
  if (!ID.test(asked)) return [];
  try {
    const [user] = await source.read([`/users/${asked}`]);
    return [User.parse(user)];
  } catch (error) {
    if (error instanceof Error && error.message === `no user ${Number(asked)}`) return [];
    throw error;
  }
}

async function byKey(source: Source, asked: string): Promise<readonly Found[]> {
  const all = await Promise.all(
    keysIn(asked).map(async (key) => [
      ...(await pageOf(source, { subId: key })),
      ...(KEY.test(key) ? (await pageOf(source, { q: key })).filter((user) => hasKey(user, key)) : []),
    ]),
  );
  return all.flat();
}

/** Keys that a text may be: itself, or the last parts of a link's path, the last of which may be a format. */
function keysIn(asked: string): string[] {
  const parts = asked.includes("://") && URL.canParse(asked) ? new URL(asked).pathname.split("/").slice(-2) : [asked];
  return parts.filter((part) => SUB_ID.test(part));
}

function hasKey({ subToken, config }: Keyed, key: string): boolean {
  const wanted = key.toLowerCase();
  return subToken === wanted || config.uuid.toLowerCase() === wanted;
}

async function pageOf(source: Source, filter: Readonly<Record<string, string>>): Promise<readonly Keyed[]> {
  const query = new URLSearchParams({ ...filter, limit: "10" });
  const [{ items }] = z.tuple([Page]).parse(await source.read([`/users?${query.toString()}`]));
  return items;
}

const said = ({ name, id }: Found) => `${plain(name)} (${id})`;

async function nobody(source: Source, asked: string): Promise<never> {
  const query = new URLSearchParams({ q: asked, sort: "name", limit: String(TOLD) });
  const [{ items, total }] = z.tuple([UserList]).parse(await source.read([`/users?${query.toString()}`]));
  const others =
    total === 0
      ? "`signalbox users list` lists them"
      : `there is ${items.map(said).join(", ")}${total > TOLD ? ", …" : ""}`;
  throw new Error(`there is no user ${plain(asked)}: ${others}`);
}
