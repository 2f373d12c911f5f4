// The dearest requests that a stranger can write: for every open route the largest odd bodies, headers and queries that
// a server lets through. Node takes 16 KiB of header.
import { request } from "node:http";
import { readdirSync, readFileSync } from "node:fs";

export interface OddRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The open routes of a panel, as its description names them; paths with their parameters filled in. */
export interface OpenRoute {
  readonly method: string;
  readonly path: string;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>>;
}

export function openRoutesOf({ paths }: Described): OpenRoute[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security?.length === 0)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, "1") })),
  );
}

const HEADER = 15_000;
const STRICT = { prefer: "handling=strict" };
const JSON_TYPE = { "content-type": "application/json" };
const repeated = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));
const members = (bytes: number): string =>
  `{${Array.from({ length: Math.floor(bytes / 9) }, (_, n) => `"${n.toString(36).padStart(4, "x")}":0`).join(",")}}`;

/** Bodies: short of the limit of open routes, and far beyond it. */
const BODIES: Readonly<Record<string, string>> = {
  "members without end": members(16_000),
  "lists in a list": `[${repeated("[],", 16_000)}[]]`,
  "objects in a list": `[${repeated("{},", 16_000)}{}]`,
  "levels of lists": "[".repeat(8000) + "]".repeat(8000),
  "levels of objects": `${'{"a":'.repeat(2600)}0${"}".repeat(2600)}`,
  escapes: `{"username":"${repeated(String.raw`\u0061`, 16_000)}"}`,
  "halves of pairs": `{"username":"${repeated(String.raw`\ud800`, 16_000)}"}`,
  numbers: `[${repeated("1e308,", 16_000)}0]`,
  "one text": JSON.stringify({ username: "x".repeat(15_000), password: 1, pending: "x".repeat(900), code: [] }),
  "fields of another type": `{"username":${members(7000)},"password":[${repeated("0,", 3000)}0],"provider":${members(3000)},"pending":[],"settings":${members(2500)}}`,
  "names of prototypes": `{${repeated('"__proto__":{},', 15_900)}"constructor":{}}`,
  "white space": `{}${" ".repeat(16_000)}`,
  "no JSON": "x".repeat(16_000),
  "a megabyte of members": members(1_000_000),
  "a megabyte of lists": `[${repeated("[],", 1_000_000)}[]]`,
};

const TYPES = [
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  `application/json; ${repeated("a=b; ", HEADER)}`,
  "text/plain",
];

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  encodings: { "accept-encoding": repeated("a;q=0.1,", HEADER) },
  "commas for encodings": { "accept-encoding": repeated(",", HEADER) },
  "media types": { accept: repeated("text/html;q=0.9,", HEADER) },
  "commas for media types": { accept: `text/html,${repeated(",", HEADER)}` },
  languages: { "accept-language": repeated("en;q=0.1,", HEADER), accept: "text/html" },
  cookies: { cookie: repeated("a=1; ", HEADER) },
  "escaped cookies": { cookie: repeated("a=%41; ", HEADER) },
  "a long session": { cookie: `panel_session=${"x".repeat(HEADER)}` },
  "a long token": { authorization: `Bearer ${"x".repeat(HEADER)}` },
  "spaces before a token": { authorization: `Bearer${" ".repeat(HEADER)}` },
  preferences: { prefer: `${repeated("a,", HEADER)}handling=strict` },
  "spaces in a preference": { prefer: `handling=strict${" ".repeat(HEADER)}x` },
  "forwarded addresses": { "x-forwarded-for": repeated("1.2.3.4,", HEADER) },
  "a program's long name": { "user-agent": repeated("Happ/1.2.3 clash ", HEADER) },
  "a version without end": { "user-agent": `Happ/${repeated("1.", HEADER)}` },
  "an origin": { origin: `http://${"x".repeat(HEADER)}` },
  tags: { "if-none-match": repeated('"a",', HEADER) },
  ranges: { range: `bytes=${repeated("0-0,", HEADER)}` },
  "a long host": { host: `${repeated("a.", HEADER)}example` },
  "a device": { "x-hwid": "x".repeat(5000), "x-device-os": "x".repeat(5000), "x-device-model": "x".repeat(4000) },
  "many fields": Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x-${n}`, "1"])),
  "an upgrade": { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "x".repeat(HEADER) },
};

const QUERIES: Readonly<Record<string, string>> = {
  "many names": Array.from({ length: 1900 }, (_, n) => `${n.toString(36)}=1`).join("&"),
  "one name often": repeated("format=1&", HEADER),
  "names alone": repeated("a&", HEADER),
  ampersands: repeated("&", HEADER),
  escapes: repeated("%41", HEADER),
  "escapes that are none": repeated("%zz=%&", HEADER),
  "plus signs": `q=${repeated("+", HEADER)}`,
  "a long value": `t=${"x".repeat(HEADER)}`,
  "the other prefix": "prefix=api",
  "an unknown part": `operation=${"x".repeat(HEADER)}`,
};

/** Every odd request for a route. */
export function oddRequestsFor({ method, path }: OpenRoute): OddRequest[] {
  const odd = (name: string, more: Partial<OddRequest>): OddRequest => ({
    name: `${method} ${path}: ${name}`,
    method,
    path,
    headers: {},
    ...more,
  });
  const queries = Object.entries(QUERIES).flatMap(([name, query]) => [
    odd(name, { path: `${path}?${query}` }),
    odd(`${name}, strictly`, { path: `${path}?${query}`, headers: STRICT }),
  ]);
  const headers = Object.entries(HEADERS).map(([name, more]) => odd(name, { headers: more }));
  const others = ["HEAD", "OPTIONS", "DELETE"].map((other) => ({ ...odd(`by ${other}`, {}), method: other }));
  if (method === "GET") return [...queries, ...headers, ...others];
  const bodies = Object.entries(BODIES).flatMap(([name, body]) => [
    odd(name, { body, headers: JSON_TYPE }),
    odd(`${name}, strictly`, { body, headers: { ...JSON_TYPE, ...STRICT } }),
    odd(`${name}, in chunks`, { body, headers: { ...JSON_TYPE, ...STRICT, "transfer-encoding": "chunked" } }),
  ]);
  const types = TYPES.map((type) =>
    odd(type.slice(0, 40), { body: BODIES["members without end"] ?? "", headers: { "content-type": type, ...STRICT } }),
  );
  return [...bodies, ...types, ...queries, ...headers, ...others];
}

/** Sends one on a connection of its own. Resolves to its status and the bytes of its answer; 0: there was none. */
export function send(port: number, odd: OddRequest, from: string): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve) => {
    const { method, path, headers, body } = odd;
    const length =
      body === undefined || "transfer-encoding" in headers ? {} : { "content-length": String(body.length) };
    const place = { host: "127.0.0.1", port, localAddress: from, agent: false as const };
    const sent = request({ ...place, method, path, headers: { ...length, ...headers } }, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => (bytes += piece.length));
      response.on("error", () => resolve({ status: 0, bytes }));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, bytes });
        sent.destroy();
      });
    });
    // What is refused before it was read breaks off.
    sent.on("error", () => resolve({ status: 0, bytes: 0 }));
    sent.end(body);
  });
}

/** Milliseconds of processor that all threads of a process used. */
export function processorMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const used = readdirSync(tasks).map((task) => {
    try {
      return Number(readFileSync(`${tasks}/${task}/schedstat`, "latin1").split(" ")[0]);
    } catch {
      // A thread that ended meanwhile.
      return 0;
    }
  });
  return used.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/** An address of loopback that no other request came from: limits count each address. */
export function freshAddress(): () => string {
  let given = 0;
  return () => {
    given++;
    return `127.1.${(given >> 8) & 255}.${given & 255 || 1}`;
  };
}
