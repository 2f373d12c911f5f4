// Requests that no client of a library sends, as the bytes that they are.

/** One of them. It ends its connection where that can be asked for. */
export interface RawRequest {
  readonly name: string;
  readonly bytes: string;
}

const END = "Host: panel.example\r\nConnection: close\r\n\r\n";

function asked(line: string, headers = ""): string {
  return `${line} HTTP/1.1\r\n${headers}${END}`;
}

/** Whole requests for something outside `base`; whatever they ask for, nothing is there. */
export function outsideRequests(base: string, subscriptions = "/sub"): readonly RawRequest[] {
  const name = base.slice(1);
  const encoded = `/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  const paths = [
    "/",
    "/%",
    "/%zz",
    "/%00",
    "/%ff%fe",
    "//",
    `/${base}`,
    `/.${base}`,
    "/index.html",
    "/robots.txt",
    "/favicon.ico",
    "/.well-known/acme-challenge/token",
    "/.well-known/security.txt",
    "/healthz/",
    "/healthz.json",
    "/HEALTHZ",
    "/metrics",
    "/api",
    "/api/v1/me",
    "/api/setup?t=token",
    "/api/openapi.json",
    "/login",
    "/assets/main.js",
    `${base}x`,
    `${base}.html`,
    `${base};x`,
    `${base}%2f`,
    `${base}%2Fapi%2Fme`,
    `${base}#x`,
    `${base.toUpperCase()}/api/me`,
    `${base.toLowerCase()}/`,
    `${encoded}/api/v1/me`,
    `${encoded}/`,
    `/x/..${base}/api/me`,
    `//panel.example${base}/api/me`,
    `/x?next=${base}/api/me`,
    subscriptions,
    `${subscriptions}/`,
    `${subscriptions}/nobody`,
    `${subscriptions}/nobody/clash`,
    `${subscriptions}/nobody?format=html`,
    `${subscriptions}/nobody/a/b`,
    `${subscriptions}/%`,
    `${subscriptions}/${"k".repeat(5000)}`,
    `/${"x".repeat(12_000)}`,
    `/?${"a=1&".repeat(3000)}`,
  ];
  const methods = ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PURGE", "M-SEARCH"];
  const upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const headers: Readonly<Record<string, string>> = {
    "a browser's": "Accept: text/html\r\nAccept-Language: en\r\nCookie: panel_session=x; signalbox_language=fa\r\n",
    "a token": `Authorization: Bearer sbx_${"a".repeat(40)}\r\n`,
    "a name of its own": "X-Request-Id: mine\r\n",
    "a strict wish": "Prefer: handling=strict\r\n",
    "an odd encoding": `Accept-Encoding: ${"gzip,".repeat(2000)}\r\n`,
    "many cookies": `Cookie: ${"a=1; ".repeat(2000)}\r\n`,
    "a forwarded address": "X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: panel\r\n",
    "a condition": 'If-None-Match: "x"\r\nRange: bytes=0-1\r\n',
  };
  return [
    ...paths.map((path) => ({ name: `GET ${path.slice(0, 40)}`, bytes: asked(`GET ${path}`) })),
    ...methods.flatMap((method) =>
      ["/x", "/healthz", `${subscriptions}/nobody`].map((path) => ({
        name: `${method} ${path}`,
        bytes: method === "HEAD" && path === "/healthz" ? asked("HEAD /healthz/") : asked(`${method} ${path}`),
      })),
    ),
    ...Object.entries(headers).map(([what, lines]) => ({ name: `with ${what}`, bytes: asked("GET /x", lines) })),
    ...["GET /x", `GET ${subscriptions}/nobody`, "GET /api/v1/events/stream"].map((line) => ({
      name: `an upgrade at ${line}`,
      bytes: `${line} HTTP/1.1\r\nHost: panel.example\r\nConnection: Upgrade, close\r\n${upgrade}\r\n`,
    })),
    { name: "an upgrade to HTTP/2", bytes: asked("GET /x", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n") },
    { name: "OPTIONS *", bytes: asked("OPTIONS *") },
    { name: "the whole address", bytes: asked("GET http://panel.example/x") },
    { name: "the whole address of the front page", bytes: asked("GET HTTP://panel.example") },
    { name: "HTTP/1.0", bytes: "GET /x HTTP/1.0\r\n\r\n" },
    { name: "HTTP/1.0, kept alive no longer", bytes: "GET /x HTTP/1.0\r\nHost: panel.example\r\n\r\n" },
    { name: "an expectation", bytes: `POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${END}{}` },
    { name: "another expectation", bytes: asked("GET /x", "Expect: nothing\r\n") },
    { name: "a body", bytes: `POST /x HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1\r\n${END}{` },
    { name: "a body of unknown length", bytes: `POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\n` },
    { name: "one that is kept alive", bytes: "GET /x HTTP/1.1\r\nHost: panel.example\r\n\r\n" },
  ];
}

/** What no server can read as a request. */
export const UNREADABLE: readonly RawRequest[] = [
  { name: "bytes", bytes: "\u0016\u0003\u0001 no HTTP\r\n\r\n" },
  { name: "a word", bytes: "nonsense\r\n\r\n" },
  { name: "an unknown method", bytes: asked("FROBNICATE /x") },
  { name: "an unknown version", bytes: "GET /x HTTP/3.7\r\nHost: panel.example\r\n\r\n" },
  { name: "spaces in the target", bytes: asked("GET /x y") },
  { name: "a target that is none", bytes: asked("GET x") },
  { name: "no host", bytes: "GET /x HTTP/1.1\r\nConnection: close\r\n\r\n" },
  { name: "a header without a name", bytes: asked("GET /x", ": value\r\n") },
  { name: "a space before a colon", bytes: asked("GET /x", "X-Name : value\r\n") },
  { name: "a folded line", bytes: asked("GET /x", " folded\r\n") },
  { name: "a NUL", bytes: asked("GET /x", "X-Name: a\0b\r\n") },
  { name: "17 KB of header", bytes: asked("GET /x", `X-Large: ${"x".repeat(17_000)}\r\n`) },
  { name: "17 KB of target", bytes: asked(`GET /${"x".repeat(17_000)}`) },
  { name: "two lengths", bytes: `POST /x HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n${END}{}` },
  {
    name: "a length and chunks",
    bytes: `POST /x HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n${END}{}`,
  },
  { name: "a length that is none", bytes: `POST /x HTTP/1.1\r\nContent-Length: x\r\n${END}{}` },
];

/** Requests that do not say which host is meant. */
export const TWO_HOSTS = (path: string): readonly RawRequest[] => [
  { name: "two hosts", bytes: `GET ${path} HTTP/1.1\r\nHost: other.example\r\n${END}` },
  { name: "one host twice", bytes: `GET ${path} HTTP/1.1\r\nHost: panel.example\r\n${END}` },
  { name: "a list of hosts", bytes: `GET ${path} HTTP/1.1\r\nHost: a.example, b.example\r\nConnection: close\r\n\r\n` },
  { name: "a host with a path", bytes: `GET ${path} HTTP/1.1\r\nHost: a.example/x\r\nConnection: close\r\n\r\n` },
  { name: "another host in the address", bytes: asked(`GET http://other.example${path}`) },
  {
    name: "two hosts of an upgrade",
    bytes: `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  },
];
