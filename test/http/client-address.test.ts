// The address of a request behind proxies: one for the framework, for routes and for what is answered before them.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Door, headOf, openRoute } from "../../src/http/index.ts";
import { UntrustedProxies } from "../../src/http/request/untrusted-proxies.ts";
import { clientAddress } from "../../src/http/request/client-address.ts";
import { parseAddressList } from "../../src/lib/addresses.ts";
import { openPanel, type TestPanel } from "./panel.ts";

const trusted = parseAddressList("127.0.0.1 10.0.0.0/8 ::1 2001:db8:5::/48");
const found = (remoteAddress: string, told: string | undefined): string =>
  clientAddress(
    { headers: told === undefined ? {} : { "x-forwarded-for": told }, socket: { remoteAddress } },
    () => trusted,
  );

// rule access.session.11
test.each([
  // Nobody in between, or nobody who is believed.
  ["127.0.0.1", undefined, "127.0.0.1"],
  ["::ffff:127.0.0.1", undefined, "127.0.0.1"],
  ["fe80::1%eth0", undefined, "fe80::1"],
  ["8.8.8.8", "1.2.3.4", "8.8.8.8"],
  ["::ffff:8.8.8.8", "1.2.3.4", "8.8.8.8"],
  ["2001:db8:6::1", "1.2.3.4", "2001:db8:6::1"],
  // Every notation of one address.
  ["127.0.0.1", "1.2.3.4", "1.2.3.4"],
  ["127.0.0.1", " 1.2.3.4 ", "1.2.3.4"],
  ["127.0.0.1", "1.2.3.4:99", "1.2.3.4"],
  ["127.0.0.1", '"1.2.3.4:99"', "1.2.3.4"],
  ["::ffff:127.0.0.1", "::ffff:1.2.3.4", "1.2.3.4"],
  ["127.0.0.1", "[::ffff:102:304]:1", "1.2.3.4"],
  ["127.0.0.1", "2001:DB8:0:0::1", "2001:db8::1"],
  ["127.0.0.1", "[2001:db8::1]", "2001:db8::1"],
  ["127.0.0.1", "[2001:db8::1]:1", "2001:db8::1"],
  ["127.0.0.1", "fe80::1%eth0", "fe80::1"],
  // Several proxies: the last address that none of them has.
  ["127.0.0.1", "1.1.1.1, 1.2.3.4", "1.2.3.4"],
  ["127.0.0.1", "1.2.3.4,10.0.0.1", "1.2.3.4"],
  ["127.0.0.1", "1.2.3.4:5 ,\t10.0.0.1:80 , [::ffff:10.0.0.2]:443", "1.2.3.4"],
  ["127.0.0.1", "9.9.9.9, [2001:db8:5::1]:8443,10.0.0.1", "9.9.9.9"],
  ["127.0.0.1", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
  ["127.0.0.1", "1.2.3.4,,10.0.0.1,", "1.2.3.4"],
  // What is no address ends the walk at the proxy that wrote it.
  ["127.0.0.1", "", "127.0.0.1"],
  ["127.0.0.1", " , ,", "127.0.0.1"],
  ["127.0.0.1", "unknown", "127.0.0.1"],
  ["127.0.0.1", "203.0.113.010", "127.0.0.1"],
  ["127.0.0.1", "<script>", "127.0.0.1"],
  ["127.0.0.1", "1.2.3.4, garbage", "127.0.0.1"],
  ["127.0.0.1", "1.2.3.4, _hidden, 10.0.0.7", "10.0.0.7"],
  ["127.0.0.1", "1.2.3.4, 10.0.0.8, unix:, 10.0.0.7:5", "10.0.0.7"],
  ["127.0.0.1", "garbage, 1.2.3.4", "1.2.3.4"],
  ["", "1.2.3.4", ""],
])("%s with %j is %s", (remote, told, address) => {
  expect(found(remote, told)).toBe(address);
});

// rule http.proxy.1
test("a proxy that is not trusted is told of once, and noticed until it is", () => {
  let now = 1_700_000_000_000;
  const told: string[] = [];
  const proxies = new UntrustedProxies(
    () => now,
    (address) => told.push(address),
  );
  const none = parseAddressList("");
  const from = (remoteAddress: string, forwarded: string, list = none) =>
    clientAddress({ headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress } }, () => list, proxies);
  // One program elsewhere that sends the header is no proxy.
  for (let n = 0; n < 9; n++) from("8.8.8.8", "1.2.3.4");
  expect([told, proxies.busiest(none)]).toEqual([[], undefined]);
  from("172.18.0.1", "1.2.3.4");
  from("::ffff:172.18.0.1", "1.2.3.5");
  expect(proxies.busiest(none)).toEqual({ address: "172.18.0.1", requests: 2, lastSeenAt: now / 1000 });
  // A proxy on the internet has many visitors.
  for (let n = 0; n < 3; n++) from("9.9.9.9", `1.2.3.${n}`);
  expect(proxies.busiest(none)?.address).toBe("9.9.9.9");
  expect(told).toEqual(["172.18.0.1"]);
  expect(proxies.busiest(parseAddressList("9.9.9.9"))?.address).toBe("172.18.0.1");
  expect(proxies.busiest(parseAddressList("9.9.9.9 172.16.0.0/12"))).toBeUndefined();
  // Made-up addresses do not drop those that ask often.
  for (let n = 0; n < 200; n++) from(`10.0.${n}.1`, "1.2.3.4");
  expect(proxies.busiest(none)?.address).toBe("9.9.9.9");
  now += 86_400_000;
  expect(proxies.busiest(none)).toBeUndefined();
  // Trusted ones are none of it.
  from("127.0.0.1", "1.2.3.4", trusted);
  expect(proxies.busiest(none)).toBeUndefined();
});

describe("on a panel", () => {
  let panel: TestPanel;
  let door: Door;
  const seen: string[] = [];

  beforeAll(async () => {
    panel = await openPanel("sqlite", {
      routes: [
        openRoute({
          method: "GET",
          path: "/whence",
          summary: "Whence the request comes",
          answer: z.string(),
          handle: async ({ request }) => request.ip,
        }),
      ],
    });
    panel.api.mount({
      register() {},
      owns: (_method, url) => url === "/short",
      shortcut: {
        takes: (url) => url === "/short",
        answer: ({ ip }) => {
          seen.push(`shortcut ${ip()}`);
          return { status: 200, head: headOf({}), body: "" };
        },
      },
    });
    panel.api.app.addHook("onRequest", async (request) => void seen.push(`framework ${request.ip}`));
    await panel.api.app.ready();
    door = new Door();
    await door.open({ host: "127.0.0.1", port: 0, basePath: "", tls: undefined }, panel.api.app.server);
  });
  afterAll(async () => {
    await door.close();
    await panel.dispose();
  });

  /** Headers as they are written, so that one may come several times. */
  async function ask(path: string, headers: readonly string[]): Promise<string> {
    const socket = connect(door.port ?? 0, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`,
    );
    await once(socket, "close");
    return text.split("\r\n\r\n")[1] ?? "";
  }

  // rule access.session.11
  test("hooks, routes and shortcuts see one address, in one spelling; headers that come twice are one, in order", async () => {
    for (const [headers, address] of [
      [["x-forwarded-for: 203.0.113.9:4711"], "203.0.113.9"],
      [["X-Forwarded-For: [2001:DB8::9]:4711"], "2001:db8::9"],
      [["x-forwarded-for: 203.0.113.9", "x-forwarded-for: 203.0.113.10:1"], "203.0.113.10"],
      [["x-forwarded-for: 203.0.113.10:1", "x-forwarded-for: 127.0.0.1:80"], "203.0.113.10"],
      [["x-forwarded-for: 203.0.113.9", "x-forwarded-for: unknown"], "127.0.0.1"],
      [["forwarded: for=203.0.113.9"], "127.0.0.1"],
    ] as const) {
      seen.length = 0;
      expect([headers, await ask("/api/whence", headers)]).toEqual([headers, JSON.stringify(address)]);
      await ask("/short", headers);
      expect([headers, ...seen]).toEqual([headers, `framework ${address}`, `shortcut ${address}`]);
    }
  });
});
