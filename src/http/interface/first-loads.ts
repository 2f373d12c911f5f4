// What the page names for the browser to fetch at once: scripts and styles of the page that was asked for, words, and
// the answers that it will ask the panel for. Without it each is fetched only after what asks for it has arrived: on a
// far line that is a second for every step.
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { escaped } from "./notice.ts";
import { isScope } from "../scopes.ts";

/** As the build of the interface writes it (`first-loads.json`); files are below its directory. */
export const FirstLoads = z.object({
  /** Words of every visit, by language. */
  languages: z.record(z.string(), z.array(z.string())),
  /** Words that pages name, by area and language. */
  words: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  /** First match wins; paths as `/inspect/:kind`. */
  pages: z.array(
    z.object({
      path: z.string(),
      open: z.boolean(),
      files: z.array(z.string()),
      words: z.array(z.string()),
      asks: z.array(z.object({ scope: z.string(), get: z.string(), bare: z.boolean().optional() })),
      also: z.array(z.string()),
    }),
  ),
  /** Files of the modules that `also` names. */
  also: z.record(z.string(), z.array(z.string())),
});
export type FirstLoads = z.output<typeof FirstLoads>;

/** A page that a browser asks for, and who asks. */
export interface FirstVisit {
  /** Below the base path, without its query. */
  readonly path: string;
  /** Whether the address has a query: what a list shows then is its own to say. */
  readonly query: boolean;
  /** What the page remembers of the language in a cookie, and `Accept-Language`. */
  readonly language: string | undefined;
  readonly accepted: string;
  /** The session behind the page's cookie, where it is a valid one: nobody else is told to ask for anything. */
  readonly caller: Caller | undefined;
}

/** The cookie in which the interface keeps the chosen language. */
export const LANGUAGE_COOKIE = "signalbox_language";

/** `<link>` elements for the head of the page. */
export function firstLinks(loads: FirstLoads, visit: FirstVisit): string {
  const language = languageOf(loads, visit);
  const words = loads.languages[language] ?? [];
  const segments = segmentsOf(visit.path);
  const [page, params] = loads.pages.flatMap((each) => pair(each, match(segmentsOf(each.path), segments)))[0] ?? [
    undefined,
    undefined,
  ];
  if (!page) return words.map(fileLink).join("");
  const also = page.also.flatMap((pattern) => modulesFor(loads, pattern, params));
  const own = page.words.flatMap((area) => loads.words[area]?.[language] ?? []);
  const files = new Set([...words, ...page.files, ...own, ...also]);
  const asked = page.open ? [] : questions(page, params, visit);
  return [...asked.map(answerLink), ...[...files].map(fileLink)].join("");
}

function pair<P>(page: P, params: Params | undefined): (readonly [P, Params])[] {
  return params ? [[page, params]] : [];
}

/** Characters of `Accept-Language` that are read: more languages than anybody speaks. */
const LONGEST = 512;

/** As the interface chooses. */
function languageOf({ languages }: FirstLoads, { language = "", accepted }: FirstVisit): string {
  const tags = accepted.slice(0, LONGEST).split(",");
  const wanted = [language, ...tags.map((tag) => tag.trim().slice(0, 2).toLowerCase())];
  return wanted.find((tag) => Object.hasOwn(languages, tag)) ?? "en";
}

type Params = ReadonlyMap<string, string>;

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function match(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (part.startsWith(":")) params.set(part.slice(1), segment);
    else if (part !== segment) return undefined;
  }
  return params;
}

/** A name or a number; the page itself handles any other part of an address. */
const PLAIN = /^[\w-]{1,64}$/;

/** The pattern with the parts of the address in it; undefined where one is not plain. */
function filled(pattern: string, params: Params): string | undefined {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.some((name) => params.has(name) && !PLAIN.test(params.get(name) ?? ""))) return undefined;
  return pattern.replace(/:(\w+)/g, (whole, name: string) => params.get(name) ?? whole);
}

/** If the address does not contain a part, all its values are used. */
function modulesFor({ also }: FirstLoads, pattern: string, params: Params): string[] {
  const wanted = filled(pattern, params);
  if (wanted === undefined) return [];
  const [head = "", ...tails] = wanted.split(/:\w+/);
  const names = Object.keys(also).filter((name) =>
    tails.length === 0 ? name === head : name.startsWith(head) && name.endsWith(tails.at(-1) ?? ""),
  );
  return names.flatMap((name) => also[name] ?? []);
}

/** Asked on every page of a session: who the caller is, and what they chose of the interface. */
const ASKED_BY_ALL = ["/me", "/me/ui"] as const;

/**
 * What the caller may ask for. It is told from their scopes alone, so a page says nothing of records that the caller
 * may not see: the API answers who asks for one of those.
 */
function questions({ asks }: FirstLoads["pages"][number], params: Params, { caller, query }: FirstVisit): string[] {
  if (!caller) return [];
  const made = asks.filter(({ bare }) => !(bare && query));
  const allowed = made.filter(({ scope }) => scope === "" || (isScope(scope) && caller.scopes.has(scope)));
  return [...ASKED_BY_ALL, ...allowed.flatMap(({ get }) => filled(get, params) ?? [])];
}

/** Taken over by the page's own `fetch` of the same address. */
function answerLink(path: string): string {
  return `<link rel="preload" as="fetch" crossorigin href="./api/v1${escaped(path)}">`;
}

function fileLink(name: string): string {
  const rel = name.endsWith(".css") ? "stylesheet" : "modulepreload";
  return `<link rel="${rel}" crossorigin href="./${escaped(name)}">`;
}
