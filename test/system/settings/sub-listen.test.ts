// `sub_listen`: further ports on which subscriptions are answered and nothing else, opened and given up at once.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect, createServer, type Server } from "node:net";
import { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { signalbox } from "./command.ts";
import { ListeningPanel } from "./panel.ts";

interface Told {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly serial: string;
}

/** A request to a port of loopback; rejects where nobody listens. */
function ask(port: number, path: string, tls = false, headers: Record<string, string> = {}): Promise<Told> {
  const options = { host: "127.0.0.1", port, path, agent: false, rejectUnauthorized: false, headers };
  return new Promise((resolve, reject) => {
    const asking = (tls ? httpsRequest : httpRequest)(options, (answer) => {
      const { socket } = answer;
      const serial = socket instanceof TLSSocket ? socket.getPeerCertificate().serialNumber : "";
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers, serial }));
    });
    asking.on("error", reject).end();
  });
}

const isOpen = (port: number, tls = false) =>
  ask(port, "/", tls).then(
    () => true,
    () => false,
  );

async function occupy(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

describe.each(dialects)("further ports of subscriptions on %s", (dialect) => {
  const opened: { dispose(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.dispose();
  });

  async function open(settings: Readonly<Record<string, string>>): Promise<{ panel: ListeningPanel; link: string }> {
    const panel = await ListeningPanel.open(dialect, settings);
    opened.push(panel);
    const base = settings["web_basepath"] ?? "";
    const { body } = await panel.ask("POST", `${base}/api/v1/users`, { body: { name: "anna" } });
    return { panel, link: `/sub/${body.subId}` };
  }

  // rules settings.listen.1, settings.listen.3
  test("open when the write is answered, serve subscriptions alone, and are given up at once", async () => {
    const { panel, link } = await open({ web_tls_mode: "none" });
    const [one = 0, two = 0] = await quietPorts(2);
    expect(await isOpen(one)).toBe(false);
    const written = await panel.put("sub_listen", ` 127.0.0.1:${one}, 127.0.0.1:${two}`);
    expect(written).toMatchObject({
      status: 200,
      body: { value: `127.0.0.1:${one},127.0.0.1:${two}`, restart: false },
    });
    for (const port of [one, two]) {
      expect(await ask(port, link)).toMatchObject({ status: 200 });
      // Without a base path too nothing of the panel answers here.
      for (const path of ["/", "/healthz", "/api/v1/me", "/api/setup", "/login", "/sub/nobody", "/sub"]) {
        const { status, text, headers } = await ask(port, path);
        expect([path, status, text, Object.keys(headers)]).toEqual([
          path,
          404,
          "",
          ["content-length", "date", "connection"],
        ]);
      }
    }
    await panel.put("sub_listen", `127.0.0.1:${two}`);
    expect([await isOpen(one), await isOpen(two)]).toEqual([false, true]);
    expect((await panel.ask("GET", "/api/v1/panel/info")).body.notListening).toEqual([]);
    // A page, devices and the path of subscriptions are as on the main port, live.
    await panel.put("sub_basepath", "/other");
    expect([(await ask(two, link)).status, (await ask(two, link.replace("/sub", "/other"))).status]).toEqual([
      404, 200,
    ]);
    expect(
      await ask(two, link.replace("/sub", "/other"), false, { accept: "text/html", "user-agent": "Mozilla/5.0" }),
    ).toMatchObject({ status: 200, text: expect.stringContaining("<html") });
    await panel.put("sub_domain", "s.example");
    const other = link.replace("/sub", "/other");
    expect([(await ask(two, other)).status, (await ask(two, other, false, { host: "s.example" })).status]).toEqual([
      404, 200,
    ]);
  });

  // rule settings.listen.2
  test("a place that is taken is refused with its reason; what cannot be opened later is told and tried again", async () => {
    const { panel, link } = await open({ web_tls_mode: "none" });
    const [one = 0, two = 0] = await quietPorts(2);
    const other = await occupy(one);
    const refused = await panel.put("sub_listen", `127.0.0.1:${two},127.0.0.1:${one}`);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        field: "value",
        issues: [{ path: "value", code: "cannot_listen", values: [`127.0.0.1:${one}`, "EADDRINUSE"] }],
      },
    });
    const own = Number(new URL(panel.url).port);
    expect((await panel.put("sub_listen", `127.0.0.1:${own}`)).status).toBe(400);
    expect([await isOpen(two), panel.complaints]).toEqual([false, []]);
    // An address of another machine may be another process's.
    expect((await panel.put("sub_listen", `192.0.2.1:${two}`)).status).toBe(dialect === "sqlite" ? 400 : 200);
    other.close();
    expect((await panel.put("sub_listen", `127.0.0.1:${one}`)).status).toBe(200);
    // While the panel was away somebody took the port: it starts all the same.
    await panel.stop();
    const thief = await occupy(one);
    await panel.start();
    expect((await panel.ask("GET", "/api/v1/panel/info")).body.notListening).toEqual([
      { place: `127.0.0.1:${one}`, fault: "EADDRINUSE" },
    ]);
    expect(panel.complaints.filter((line) => line.includes(`127.0.0.1:${one}`))).toEqual([
      expect.stringContaining("cannot be listened on"),
    ]);
    thief.close();
    await expect.poll(() => isOpen(one), { timeout: 20_000 }).toBe(true);
    expect((await ask(one, link)).status).toBe(200);
    expect((await panel.ask("GET", "/api/v1/panel/info")).body.notListening).toEqual([]);
  });

  // rules settings.listen.2, settings.listen.3
  test("a port may move to another address of this machine in one write", async () => {
    const { panel, link } = await open({ web_tls_mode: "none" });
    const [port = 0, other = 0] = await quietPorts(2);
    for (const place of [`0.0.0.0:${port}`, `127.0.0.1:${port}`, `0.0.0.0:${port}`]) {
      expect(await panel.put("sub_listen", place)).toMatchObject({ status: 200, body: { value: place } });
      expect((await ask(port, link)).status).toBe(200);
    }
    const taken = await occupy(other);
    expect((await panel.put("sub_listen", `127.0.0.1:${port},127.0.0.1:${other}`)).status).toBe(400);
    taken.close();
    // Both would have to be there at once.
    expect((await panel.put("sub_listen", `0.0.0.0:${port},127.0.0.1:${port}`)).status).toBe(400);
    expect((await ask(port, link)).status).toBe(200);
    expect(panel.complaints).toEqual([]);
  });

  // rule settings.listen.4
  test("have the main listener's TLS and follow its certificate", async () => {
    const { panel, link } = await open({ web_tls_mode: "self_signed", web_domain: "one.example" });
    const [port = 0] = await quietPorts(1);
    await panel.put("sub_listen", `127.0.0.1:${port}`);
    const { serial } = await panel.ask("GET", link);
    expect(await ask(port, link, true)).toMatchObject({ status: 200, serial });
    await expect(ask(port, link)).rejects.toThrow();
    await panel.put("web_domain", "two.example");
    const renewed = await ask(port, link, true);
    expect(renewed.serial).not.toBe(serial);
    expect(renewed.serial).toBe((await panel.ask("GET", link)).serial);
    await panel.put("web_tls_mode", "none");
    await panel.restart();
    expect((await ask(port, link)).status).toBe(200);
    await panel.put("web_tls_mode", "self_signed");
    await panel.restart();
    expect(await ask(port, link, true)).toMatchObject({ status: 200, serial: renewed.serial });
  });

  // rules settings.listen.1, http.hidden.5
  test("stay open during a restart, answer a bare 503 meanwhile, and end with the panel", async () => {
    const { panel, link } = await open({ web_tls_mode: "none" });
    const [port = 0] = await quietPorts(1);
    await panel.put("sub_listen", `127.0.0.1:${port}`);
    await panel.door.shut();
    const { status, text, headers } = await ask(port, link);
    expect([status, text, Object.keys(headers)]).toEqual([
      503,
      "",
      ["content-length", "retry-after", "connection", "date"],
    ]);
    await panel.restart();
    expect((await ask(port, link)).status).toBe(200);
    await panel.stop();
    expect(await isOpen(port)).toBe(false);
    await panel.start();
    expect((await ask(port, link)).status).toBe(200);
  });

  test("running answers end before a port is given up, and idle connections go", async () => {
    const { panel, link } = await open({ web_tls_mode: "none" });
    const [port = 0] = await quietPorts(1);
    await panel.put("sub_listen", `127.0.0.1:${port}`);
    const idle = connect(port, "127.0.0.1");
    idle.write(`GET ${link} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(idle, "data");
    const ended = once(idle, "close");
    idle.resume();
    // What is answered only when its body has come is complete before its connection ends.
    const late = connect(port, "127.0.0.1");
    late.write("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n");
    const answered = once(late, "data");
    await panel.put("sub_listen", "");
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 404 /);
    late.end("abc");
    await ended;
    expect(await isOpen(port)).toBe(false);
  });

  // rule settings.listen.3
  test("limits hold on all ports together, for the address that a trusted proxy names", async () => {
    const { panel, link } = await open({ web_tls_mode: "none", web_basepath: "/p" });
    const [port = 0] = await quietPorts(1);
    await panel.put("sub_listen", `127.0.0.1:${port}`, "/p");
    await panel.put("trusted_proxies", "127.0.0.1", "/p");
    const from = (ip: string) => ({ "x-forwarded-for": ip });
    for (let n = 0; n < 70; n++) expect((await ask(port, link, false, from("198.51.100.1"))).status).toBe(200);
    const statuses = new Set<number>();
    for (let n = 0; n < 70; n++) statuses.add((await panel.ask("GET", link, { headers: from("198.51.100.1") })).status);
    // Both ports count for one budget of 120 a minute.
    if (!statuses.has(429))
      for (let n = 0; n < 120; n++) statuses.add((await ask(port, link, false, from("198.51.100.1"))).status);
    expect(statuses).toContain(429);
    expect((await ask(port, link, false, from("198.51.100.2"))).status).toBe(200);
    // A client that only guesses learns nothing of a limit.
    const guesses = new Set<number>();
    for (let n = 0; n < 130; n++) guesses.add((await ask(port, `/sub/guess-${n}`, false, from("198.51.100.3"))).status);
    expect([...guesses]).toEqual([404]);
  });

  // rule settings.listen.1
  test("the command line writes it, and a running panel follows", async () => {
    const { panel, link } = await open({ web_tls_mode: "none" });
    const [port = 0] = await quietPorts(1);
    const set = (value: string) => signalbox(panel, "settings", "set", "sub_listen", value);
    expect(await set(`127.0.0.1:${port}`)).toMatchObject({ code: 0 });
    await expect.poll(() => isOpen(port)).toBe(true);
    expect((await ask(port, link)).status).toBe(200);
    expect(await set("nowhere")).toMatchObject({ code: 1 });
    expect(await set("")).toMatchObject({ code: 0 });
    await expect.poll(() => isOpen(port)).toBe(false);
  });

  if (dialect === "postgresql")
    // rules settings.listen.1, settings.listen.2
    test("every process opens them; one that cannot says so, and takes over when the other is gone", async () => {
      const { panel, link } = await open({ web_tls_mode: "none" });
      const neighbour = await panel.neighbour();
      opened.push(neighbour);
      const [port = 0, own = 0] = await quietPorts(2);
      await panel.put("sub_listen", `127.0.0.1:${port}`);
      const closedAt = async (asked: ListeningPanel) =>
        (await asked.ask("GET", "/api/v1/panel/info")).body.notListening;
      await expect.poll(() => closedAt(neighbour)).toEqual([{ place: `127.0.0.1:${port}`, fault: "EADDRINUSE" }]);
      expect(await closedAt(panel)).toEqual([]);
      expect(neighbour.complaints).toEqual([expect.stringContaining("cannot be listened on")]);
      await panel.stop();
      await expect.poll(() => isOpen(port), { timeout: 20_000 }).toBe(true);
      expect((await ask(port, link)).status).toBe(200);
      // A write of one holds on the other, and takes the old ones away there too.
      await panel.start();
      await neighbour.put("sub_listen", "");
      await expect.poll(() => isOpen(port)).toBe(false);
      await expect.poll(() => closedAt(panel)).toEqual([]);
      await panel.put("sub_listen", `127.0.0.1:${own}`);
      expect((await ask(own, link)).status).toBe(200);
    });

  test("nothing is open while setup is pending", async () => {
    const panel = await ListeningPanel.pending(dialect);
    opened.push(panel);
    const [port = 0] = await quietPorts(1);
    expect(await signalbox(panel, "settings", "set", "sub_listen", `127.0.0.1:${port}`)).toMatchObject({ code: 0 });
    await panel.restart();
    expect(await isOpen(port)).toBe(false);
    await panel.setUp({ web_tls_mode: "none" });
    expect(await isOpen(port)).toBe(true);
  });
});
