// Streams end with the rights that they were opened with: whatever narrows, widens or ends a credential closes them, on
// every process, and nothing is told under the old rights.
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

const PASSWORD = "correct horse";
const ENDED = 4401;
const CHANGED = 4403;

interface Holder {
  readonly id: number;
  readonly username: string;
  readonly tokenId: number;
  readonly byToken: Record<string, string>;
  readonly bySession: Record<string, string>;
}

describe.each(dialects)("streams and rights on %s", (dialect) => {
  let panel: WholePanel;
  /** Where streams are opened: on PostgreSQL another process's panel than the one that changes things. */
  let other: WholePanel;
  let serial = 0;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    other = dialect === "postgresql" ? await panel.neighbour() : panel;
  });
  afterAll(async () => {
    if (other !== panel) await other.dispose();
    await panel.dispose();
  });

  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await panel.call(method, `/api/v1${path}`, body, { cookie: panel.cookie });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.body;
  };
  const holder = async (role: string, token: object = {}, account: object = {}): Promise<Holder> => {
    const username = `holder${++serial}`;
    const { id } = await ok("POST", "/admins", { username, password: PASSWORD, role, ...account });
    const made = await ok("POST", "/tokens", { adminId: id, rateLimit: 1000, ...token });
    const login = await panel.call("POST", "/api/v1/login", { username, password: PASSWORD }, { cookie: "none=" });
    const bySession = { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
    return { id, username, tokenId: made.id, byToken: { authorization: `Bearer ${made.token}` }, bySession };
  };
  /** An open feed: what it heard, and the code that it is closed with. */
  const feed = async (headers: Record<string, string>) => {
    const socket = new WebSocket(`${other.url.replace("http", "ws")}/api/v1/events/stream`, { headers });
    const heard: string[] = [];
    socket.on("message", (data: Buffer) => heard.push((JSON.parse(data.toString("utf8")) as { event: string }).event));
    const closed = (once(socket, "close") as Promise<[number]>).then(([code]) => code);
    // A refused feed fails at the wait for its opening, below.
    closed.catch(() => undefined);
    await once(socket, "open");
    return { socket, heard, closed };
  };

  // rule events.log.2
  test("an edited role: what commits after it is not told to who lost the scope", async () => {
    const role = await ok("POST", "/roles", { name: "watcher", base: "admin", scopes: ["users:read", "nodes:read"] });
    const watcher = await holder("watcher");
    const [byToken, bySession] = [await feed(watcher.byToken), await feed(watcher.bySession)];
    await ok("POST", "/users", { name: "before" });
    await expect.poll(() => [byToken.heard, bySession.heard]).toEqual([["user.created"], ["user.created"]]);
    await ok("PUT", `/roles/${role.id}`, { name: "watcher", base: "admin", scopes: ["nodes:read"] });
    expect([await byToken.closed, await bySession.closed]).toEqual([CHANGED, ENDED]);
    const again = await feed(watcher.byToken);
    const whole = await feed({ cookie: panel.cookie });
    await ok("POST", "/users", { name: "after" });
    await expect.poll(() => whole.heard).toContain("user.created");
    expect([byToken.heard, bySession.heard, again.heard]).toEqual([["user.created"], ["user.created"], []]);
    again.socket.close();
    whole.socket.close();
  });

  test.each([
    [
      "a change of the account's role",
      CHANGED,
      ENDED,
      ({ id, username }: Holder) => ok("PUT", `/admins/${id}`, { username, role: "resale" }),
    ],
    ["the account's deletion", ENDED, ENDED, ({ id }: Holder) => ok("DELETE", `/admins/${id}`)],
  ])("%s closes the streams of its token and its session", async (_what, token, session, change) => {
    const held = await holder("admin");
    const [byToken, bySession] = [await feed(held.byToken), await feed(held.bySession)];
    await change(held);
    expect([await byToken.closed, await bySession.closed]).toEqual([token, session]);
  });

  // rule access.session.9
  test("a reset password ends streams of sessions, a deleted token its own; what has its rights still stays open", async () => {
    const held = await holder("admin");
    const [byToken, bySession, untouched] = [
      await feed(held.byToken),
      await feed(held.bySession),
      await feed({ cookie: panel.cookie }),
    ];
    await ok("PUT", `/admins/${held.id}/password`, { password: PASSWORD });
    expect(await bySession.closed).toBe(ENDED);
    await ok("DELETE", `/tokens/${held.tokenId}`);
    expect(await byToken.closed).toBe(ENDED);
    await ok("POST", "/users", { name: `still${serial}` });
    await expect.poll(() => untouched.heard).toContain("user.created");
    untouched.socket.close();
  });

  /**
   * Streams of a token and a reseller that end soon. Where opening them took longer than that, others with more time
   * are opened.
   */
  async function openBeforeTheEnd(
    seconds: number,
  ): Promise<Record<"byToken" | "bySession", Awaited<ReturnType<typeof feed>>>> {
    const expiry = Math.floor(Date.now() / 1000) + seconds;
    try {
      const [short, dated] = [await holder("admin", { expiry }), await holder("resale", {}, { expiry })];
      return { byToken: await feed(short.byToken), bySession: await feed(dated.bySession) };
    } catch (error) {
      if (Date.now() / 1000 < expiry) throw error;
      return openBeforeTheEnd(3 * seconds);
    }
  }

  test("time ends streams too: a token's end, a reseller's date", async () => {
    const { byToken, bySession } = await openBeforeTheEnd(3);
    expect([await byToken.closed, await bySession.closed]).toEqual([ENDED, CHANGED]);
  });

  test("the panel is handed over: the streams of both owners begin anew", async () => {
    const heir = await holder("sudo");
    const [old, next] = [await feed({ cookie: panel.cookie }), await feed(heir.bySession)];
    await ok("POST", `/admins/${heir.id}/owner`);
    expect([await old.closed, await next.closed]).toEqual([CHANGED, CHANGED]);
  });
});
