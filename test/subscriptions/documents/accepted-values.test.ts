// Values that a write accepts and that clients get as they are: their programs accept them too, and refuse what a write
// refuses. One such value ends a whole document.
import { describe, expect, test } from "vitest";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { omissionOf } from "../../../src/subscriptions/documents/limits.ts";
import { renderSingBox } from "../../../src/subscriptions/documents/singbox.ts";
import { xrayOutbound } from "../../../src/subscriptions/documents/xray-outbound.ts";
import { parseClientConfig } from "../../../src/pool/dialect/client-config.ts";
import { parseInboundConfig } from "../../../src/pool/dialect/inbound.ts";
import { SHADOWSOCKS_METHODS } from "../../../src/pool/dialect/shadowsocks.ts";
import { inbound, reality, user } from "./fixtures.ts";
import { installed, objection } from "./said-by-engines.ts";

type Fragment = Readonly<Record<string, unknown>>;

/** `extra` of an xhttp transport, by whether Xray takes it; modes where they decide. */
const EXTRA: readonly (readonly [extra: Fragment, takes: boolean, mode?: string])[] = [
  [{}, true],
  [{ xPaddingBytes: "100-1000", scMaxEachPostBytes: 1_000_000, scMinPostsIntervalMs: "30" }, true],
  [{ xPaddingBytes: "1000-100" }, true],
  [{ xPaddingBytes: "" }, true],
  [{ xPaddingBytes: "0" }, true],
  [{ xPaddingBytes: "0-10" }, false],
  [{ xPaddingBytes: -1 }, false],
  [{ xPaddingBytes: "abc" }, false],
  [{ xPaddingBytes: 1.5 }, false],
  [{ xPaddingBytes: 3_000_000_000 }, false],
  [{ scStreamUpServerSecs: "-1" }, true],
  [{ scMaxEachPostBytes: "1-2-3" }, false],
  [{ scMaxEachPostBytes: [1, 2] }, false],
  [{ scMaxBufferedPosts: "30" }, false],
  [{ serverMaxHeaderBytes: -1 }, false],
  [{ noGRPCHeader: true, noSSEHeader: false, xPaddingObfsMode: true }, true],
  [{ noGRPCHeader: "true" }, false],
  [{ headers: { "User-Agent": "x" } }, true],
  [{ headers: { hOst: "x" } }, false],
  [{ headers: { a: ["x"] } }, false],
  [
    { xPaddingPlacement: "cookie", xPaddingMethod: "tokenish", sessionIDPlacement: "query", seqPlacement: "header" },
    true,
  ],
  [{ xPaddingPlacement: "body" }, false],
  [{ xPaddingMethod: "x" }, false],
  [{ sessionIDPlacement: "body" }, false],
  [{ seqPlacement: "x" }, false],
  [{ uplinkDataPlacement: "body" }, true],
  [{ uplinkDataPlacement: "cookie" }, true, "packet-up"],
  [{ uplinkDataPlacement: "cookie" }, false],
  [{ uplinkHTTPMethod: "get" }, true, "packet-up"],
  [{ uplinkHTTPMethod: "get" }, false, "stream-up"],
  [{ sessionIDTable: "Base62", sessionIDLength: "8-12" }, true],
  [{ sessionIDTable: "hex", sessionIDLength: "7" }, false],
  [{ sessionIDTable: "hex", sessionIDLength: "8" }, true],
  [{ sessionIDTable: "hex" }, false],
  [{ sessionIDTable: "äöü", sessionIDLength: 30 }, false],
  [{ xmux: { maxConcurrency: "16-32", hMaxReusableSecs: "1800-3000", hKeepAlivePeriod: 0 } }, true],
  [{ xmux: { maxConcurrency: 1, maxConnections: 1 } }, false],
  [{ xmux: { maxConcurrency: 0, maxConnections: 1 } }, true],
  [{ xmux: { cMaxReuseTimes: "x" } }, false],
  [{ xmux: [] }, false],
  [{ downloadSettings: { address: "d.test", port: 443, network: "xhttp", security: "tls" } }, true],
  [{ downloadSettings: { address: "d.test", port: 443, network: "xhttp" } }, false, "stream-one"],
  [{ downloadSettings: { network: "carrier-pigeon" } }, false],
  [{ downloadSettings: { port: 443, network: "xhttp", xhttpSettings: { xPaddingBytes: "x" } } }, false],
  [{ downloadSettings: { port: 443, network: "xhttp", xhttpSettings: { extra: { xPaddingBytes: "x" } } } }, false],
];

const xhttp = (extra: Fragment, mode = "auto"): Fragment => ({
  listen_port: 443,
  transport: { type: "xhttp", path: "/x", mode, extra },
});

function clientOf(extra: Fragment, mode = "auto"): Fragment {
  return {
    protocol: "vless",
    settings: { vnext: [{ address: "n.test", port: 443, users: [{ id: user.uuid, encryption: "none" }] }] },
    streamSettings: { network: "xhttp", xhttpSettings: { path: "/x", mode, extra } },
  };
}

// rules pool.inbound.5, subscriptions.format.11
test.each(EXTRA.map(([extra, takes, mode]) => ({ extra, takes, mode })))(
  "xhttp with $extra is accepted: $takes",
  ({ extra, takes, mode }) => {
    const read = parseInboundConfig("vless", "in", xhttp(extra, mode));
    expect(read.ok ? [] : read.issues.map(({ path }) => path)).toEqual(
      takes ? [] : [expect.stringMatching(/^transport\.extra\./)],
    );
  },
);

describe.skipIf(!installed("xray", "version"))("as Xray says", () => {
  const said = (outbounds: readonly unknown[]): string | undefined =>
    objection("xray", ["run", "-test", "-c", "stdin:"], JSON.stringify({ outbounds }));

  // rule subscriptions.format.11
  test("what xhttp may be told", () => {
    expect(said(EXTRA.filter(([, takes]) => takes).map(([extra, , mode]) => clientOf(extra, mode)))).toBeUndefined();
    for (const [extra, takes, mode] of EXTRA)
      if (!takes) expect(said([clientOf(extra, mode)]), JSON.stringify(extra)).toBeDefined();
  });

  // rule subscriptions.format.5
  test("ciphers of Shadowsocks, and where REALITY's spider begins", () => {
    const password = (method: string) => Buffer.alloc(method.includes("128") ? 16 : 32, 1).toString("base64");
    const servers = SHADOWSOCKS_METHODS.flatMap((method) =>
      entriesOf(user, [inbound("shadowsocks", { method, password: password(method) })]),
    );
    const left = servers.filter((entry) => omissionOf("xray", entry)).map(({ method }) => method);
    expect(left).toEqual(["aes-192-gcm"]);
    const spiders = ["", "/", "/a b"].map((spider_x) => ({ tls: { reality: { spider_x } } }));
    const tls = { enabled: true, server_name: "a.test", reality };
    const told = spiders.flatMap((config) => {
      const read = parseClientConfig(config);
      return read.ok ? entriesOf(user, [inbound("vless", { tls }, { client: read.client })]) : [];
    });
    expect(told).toHaveLength(spiders.length);
    expect(
      said([...servers, ...told].flatMap((entry, index) => xrayOutbound(entry, `${index}`) ?? [])),
    ).toBeUndefined();
  });
});

describe.skipIf(!installed("sing-box", "version"))("as sing-box says", () => {
  // rule subscriptions.format.11
  test("REALITY has a fingerprint whatever the template says; early data has a size that there is", () => {
    const tls = { enabled: true, server_name: "a.test", reality };
    const utls = [
      { enabled: true, fingerprint: "" },
      { enabled: false, fingerprint: "chrome" },
    ];
    const early = 2 ** 32 - 1;
    const all = [
      ...utls.map((each) => inbound("vless", { tls }, { client: { tls: { utls: each } } })),
      inbound("vless", { transport: { type: "ws", max_early_data: early } }),
    ].flatMap((each) => entriesOf(user, [each]));
    const named = all.map((entry, index) => ({ ...entry, name: `n${index}` }));
    expect(objection("sing-box", ["check", "-c", "stdin"], renderSingBox(named))).toBeUndefined();
    const beyond = parseInboundConfig("vless", "in", { transport: { type: "ws", max_early_data: early + 1 } });
    expect(beyond.ok).toBe(false);
  });
});
