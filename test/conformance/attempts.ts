// Requests for one operation, drawn from its description: most of them right but for one thing.
import type { Chance } from "../simulation/chance.ts";
import type { Description, Operation, Parameter } from "./described.ts";
import { CONTENT_TYPES, HOSTILE_BODIES, HOSTILE_NUMBERS, HOSTILE_TEXTS } from "./hostile.ts";
import { allowed, mutated, type Hints } from "./inputs.ts";

/** A request as bytes, ready to be sent and to be shown. */
export interface Attempt {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Parts of the panel that an operation's requests are made of. */
export interface Drawing {
  readonly description: Description;
  readonly chance: Chance;
  readonly hints: Hints;
  /** Ids that paths may name. */
  readonly ids: (path: string) => readonly (string | number)[];
}

/** `encodeURIComponent` throws at halves of surrogate pairs. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function pathText(path: string, { chance, ids, hints }: Drawing): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (chance.happens(0.15)) return encoded(chance.pick(HOSTILE_TEXTS).slice(0, 300)) || "0";
    if (chance.happens(0.1)) return encoded(String(chance.pick(HOSTILE_NUMBERS.filter((number) => number !== 1))));
    return encoded(String(chance.pick(hints[name] ?? ids(path))));
  });
}

function parameterText(parameter: Parameter, drawing: Drawing): string {
  const { chance } = drawing;
  if (chance.happens(0.35)) return chance.pick([...HOSTILE_TEXTS, ...HOSTILE_NUMBERS.map(String)]).slice(0, 300);
  return String(allowed(parameter.schema, { ...drawing, name: parameter.name }));
}

function queryText(parameters: readonly Parameter[], drawing: Drawing): string {
  const { chance } = drawing;
  const pairs = parameters
    .filter((parameter) => parameter.in === "query" && (parameter.required || chance.happens(0.25)))
    .map((parameter) => [parameter.name, parameterText(parameter, drawing)] as const);
  if (chance.happens(0.05) && pairs[0]) pairs.push(pairs[0]);
  if (chance.happens(0.05)) pairs.push([chance.pick(["__proto__", "constructor", "x[]", "a.b", "limit[]"]), "1"]);
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
}

function bodyOf({ body, bodyRequired }: Operation, drawing: Drawing): string | Uint8Array | undefined {
  const { chance } = drawing;
  if (body === undefined) return chance.happens(0.85) ? undefined : chance.pick(HOSTILE_BODIES);
  if (chance.happens(0.12)) return chance.pick(HOSTILE_BODIES);
  if (!bodyRequired && chance.happens(0.2)) return undefined;
  const right = allowed(body, drawing);
  const sent = chance.happens(0.35) ? right : mutated(right, chance);
  return JSON.stringify(chance.happens(0.03) ? [sent] : sent) ?? "null";
}

/** One request. */
export function attempt(operation: Operation, drawing: Drawing): Attempt {
  const { chance } = drawing;
  const query = queryText(operation.parameters, drawing);
  const body = operation.method === "GET" ? undefined : bodyOf(operation, drawing);
  const headers: Record<string, string> = {};
  if (body !== undefined)
    headers["content-type"] = chance.happens(0.06) ? chance.pick(CONTENT_TYPES) : "application/json";
  if (operation.method !== "GET" && chance.happens(0.15)) {
    headers["idempotency-key"] = chance.pick([
      "key",
      "k".repeat(255),
      "k".repeat(256),
      "é",
      " ",
      `${chance.whole(0, 1_000_000)}`,
    ]);
  }
  return {
    method: operation.method,
    target: pathText(operation.path, drawing) + (query === "" ? "" : `?${query}`),
    headers,
    body,
  };
}

/** The request as a person repeats it. */
export function shown({ method, target, headers, body }: Attempt): string {
  const text = typeof body === "string" ? body : body === undefined ? "" : `bytes ${Buffer.from(body).toString("hex")}`;
  return `${method} ${target} ${JSON.stringify(headers)} ${text.length > 600 ? `${text.slice(0, 600)}… (${text.length})` : text}`;
}
