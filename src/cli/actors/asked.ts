// Which actor is meant: by its id, or by its name.
import { z } from "zod";
import { plain } from "../paint.ts";
import { ActorList } from "./answers.ts";
import type { Source } from "../source.ts";

/** Names like it that are told. */
const TOLD = 5;

/** The id of the actor of that id or whole name. Rejects with a sentence that tells names like it. */
export async function idOf(source: Source, kind: string, asked: string): Promise<string> {
  if (/^\d{1,15}$/.test(asked)) return asked;
  const query = new URLSearchParams({ kind, q: asked, sort: "name", limit: "1000" });
  const [{ items, total }] = z.tuple([ActorList]).parse(await source.read([`/actors?${query.toString()}`]));
  const found = items.find(({ name }) => name === asked);
  if (found) return found.id;
  const like = items.slice(0, TOLD).map(({ name, id }) => `${plain(name)} (${id})`);
  const others =
    total === 0
      ? `\`signalbox actors --kind ${kind}\` lists them`
      : `there is ${like.join(", ")}${total > TOLD ? ", …" : ""}`;
  throw new Error(`there is no ${kind} called ${plain(asked)}: ${others}`);
}
