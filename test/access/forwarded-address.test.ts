// Behind a proxy an address is one, however the proxy writes it: limits, bans, the allow-list, sessions and the audit
// log hold for the address and not for the text.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, type AccessPanel } from "./panel.ts";

const PROXY = "192.0.2.50";

/** Spellings of one address. A proxy that appends ports gives each connection another. */
const SAME: readonly (readonly [kind: string, spelling: (turn: number) => string])[] = [
  ["ip:port", (turn) => `203.0.113.61:${1000 + turn}`],
  ["quotes", (turn) => `"203.0.113.62:${1000 + turn}"`],
  ["mapped", (turn) => (turn % 2 === 0 ? "::ffff:203.0.113.63" : `[::FFFF:cb00:713f]:${turn + 1}`)],
  ["[v6]:port", (turn) => `[2001:db8:61::${turn + 1}]:${1000 + turn}`],
  ["zone", (turn) => `fe80::${turn + 1}%eth${turn}`],
];
/** No addresses: the proxy's own counts. */
const NONE: readonly (readonly [kind: string, spelling: (turn: number) => string])[] = [
  ["text", (turn) => `hidden-${turn}`],
  ["leading zeros", (turn) => `203.0.113.0${turn % 10}, unknown`],
  ["markup", (turn) => `203.0.113.78<script>${turn}`],
];

describe.each(dialects)("forwarded addresses on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeEach(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    await set("trusted_proxies", PROXY);
  });
  afterEach(() => panel.dispose());

  async function set(key: string, value: string): Promise<number> {
    return (await panel.send("PUT", `/api/settings/${key}`, { as: root, body: { value } })).status;
  }
  const login = (from: string, password: string) => {
    const headers = { "x-forwarded-for": from };
    return panel.send("POST", "/api/login", { body: { username: "root", password }, headers, ip: PROXY });
  };

  // rule access.session.11
  test("however an address is written, it has sixty requests a minute on open routes", async () => {
    for (const [kind, spelling] of [...SAME, ...NONE]) {
      let refused = 0;
      for (let turn = 0; turn < 75; turn++) {
        const headers = { "x-forwarded-for": spelling(turn) };
        if ((await panel.send("POST", "/api/logout", { headers, ip: PROXY })).status === 429) refused += 1;
      }
      expect([kind, refused]).toEqual([kind, 15]);
      panel.clock.now += 60_000;
    }
  });

  // rule access.session.11
  test("however an address is written, the fifth wrong password bans it, and any spelling lifts the ban", async () => {
    for (const [kind, spelling] of [...SAME, ...NONE.slice(0, 1)]) {
      for (let turn = 0; turn < 5; turn++)
        expect([kind, (await login(spelling(turn), "wrong password")).status]).toEqual([kind, 401]);
      expect([kind, (await login(spelling(5), PASSWORD)).status]).toEqual([kind, 429]);
      const bans = Object.values((await panel.send("GET", "/api/security/bans", { as: root })).body);
      expect([kind, bans.length]).toEqual([kind, 1]);
      const address = kind === "text" ? PROXY : spelling(9);
      const path = `/api/security/bans/${encodeURIComponent(address)}`;
      expect([kind, (await panel.send("DELETE", path, { as: root })).status]).toEqual([kind, 200]);
      expect([kind, (await login(spelling(6), PASSWORD)).status]).toEqual([kind, 200]);
    }
  });

  // rule access.session.11
  test("sessions, the audit log and the allow-list have the address alone", async () => {
    for (const [written, address] of [
      ["203.0.113.7:5000", "203.0.113.7"],
      ["[2001:DB8:0:0::7]:5000", "2001:db8::7"],
      ["::ffff:203.0.113.8", "203.0.113.8"],
      ["203.0.113.9, <script>alert(1)</script>", PROXY],
    ] as const) {
      const headers = { "x-forwarded-for": written };
      const { cookie = "" } = await login(written, PASSWORD);
      const [session] = Object.values(
        (await panel.send("GET", "/api/me/sessions", { as: cookie, headers, ip: PROXY })).body,
      );
      await panel.send("PUT", "/api/settings/sub_title", {
        as: cookie,
        headers,
        ip: PROXY,
        body: { value: written.slice(0, 9) },
      });
      const [change] = Object.values((await panel.send("GET", "/api/changes?limit=1", { as: root })).body);
      expect([written, session, change]).toEqual([
        written,
        expect.objectContaining({ ip: address }),
        expect.objectContaining({ ip: address, key: "settings" }),
      ]);
    }
    expect(await set("login_allowlist", "203.0.113.7 2001:db8::/64 192.0.2.1")).toBe(200);
    for (const [from, status] of [
      ["203.0.113.7:1", 200],
      ["[::ffff:203.0.113.7]:1", 200],
      ["[2001:db8::7]:1", 200],
      ["203.0.113.8:1", 403],
      ["203.0.113.7, 203.0.113.8", 403],
    ] as const)
      expect([from, (await login(from, PASSWORD)).status]).toEqual([from, status]);
  });

  // rule settings.value.2
  test("lists take addresses and ranges, and refuse a port, brackets, a zone and text by name", async () => {
    for (const key of ["trusted_proxies", "login_allowlist"])
      for (const value of ["192.0.2.1:80", "[2001:db8::1]", "fe80::1%eth0", '"192.0.2.1"', "192.0.2.010", "unknown"]) {
        const refused = await panel.send("PUT", `/api/settings/${key}`, {
          as: root,
          body: { value: `10.0.0.1 ${value}` },
        });
        expect([key, value, refused.status, refused.body["field"]]).toEqual([key, value, 400, "value"]);
        expect(refused.body["error"]).toContain(value);
      }
    expect(await set("trusted_proxies", "::ffff:192.0.2.0/120")).toBe(200);
    expect((await login("203.0.113.5:1", PASSWORD)).status).toBe(200);
  });
});
