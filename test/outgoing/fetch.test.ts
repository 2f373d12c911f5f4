// The client for addresses that operators type: private targets, redirects, size and time.
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { quietPorts } from "../quiet-ports.ts";
import type { SignalTable } from "../../src/lib/signal-table.ts";
import { Signals } from "../../src/lib/signals.ts";
import { checkTarget, openOutgoing, type OutgoingRequest } from "../../src/outgoing/index.ts";
import { httpServer, reasonOf } from "./servers.ts";

async function serve(listener: RequestListener): Promise<{ port: number; url: string }> {
  const port = await httpServer(listener);
  return { port, url: `http://127.0.0.1:${port}/` };
}

const local = openOutgoing({ resolve: async () => ["127.0.0.1"] }).fetch;
const options = { allowPrivate: true, timeout: 2000 };

describe("targets", () => {
  const refused = (url: string, resolve = async (): Promise<string[]> => ["93.184.216.34"]) =>
    reasonOf(openOutgoing({ resolve }).fetch({ url, allowPrivate: false, timeout: 1000 }));

  // rule certificates.target.1
  test("only absolute http(s) URLs without credentials, https alone unless private targets are allowed", async () => {
    for (const url of ["hook", "/hook", "ftp://example.com/", "file:///etc/passwd", "javascript:1"])
      expect(await refused(url)).toBe("url");
    expect(await refused("http://example.com/")).toBe("https");
    expect(await refused("https://u:p@example.com/")).toBe("credentials");
  });

  // rules events.webhook.3, certificates.target.2
  test("private addresses are refused however they are written", async () => {
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "127.1",
      "[::1]",
      "[::ffff:10.0.0.1]",
      "[fd00::1]",
      "169.254.169.254",
      "[64:ff9b::7f00:1]",
      "0.0.0.0",
    ]) {
      expect(await refused(`https://${host}/`)).toBe("private");
    }
  });

  // rule certificates.target.2
  test("names are judged by what they resolve to; one private address among them is enough", async () => {
    expect(await refused("https://inside.example/", async () => ["10.1.2.3"])).toBe("private");
    expect(await refused("https://mixed.example/", async () => ["93.184.216.34", "::1"])).toBe("private");
    expect(await refused("https://nowhere.example/", async () => [])).toBe("resolve");
  });

  test("on write, a name that does not resolve is accepted, a private one is not", async () => {
    const unknown = async (): Promise<string[]> => {
      throw new Error("ENOTFOUND");
    };
    await checkTarget("https://later.example/hook", false, unknown);
    await checkTarget("http://127.0.0.1/hook", true);
    expect(await reasonOf(checkTarget("https://192.168.1.1/", false))).toBe("private");
    expect(await reasonOf(checkTarget("http://later.example/", false, unknown))).toBe("https");
    expect(await reasonOf(checkTarget("https://localhost/", false))).toBe("private");
  });

  // rule certificates.target.2
  test("the connection goes to the address that was checked, under the name that was asked for", async () => {
    const { port } = await serve((request, response) => response.end(request.headers.host));
    const url = `http://hook.example:${port}/`;
    for (const headers of [{}, { HOST: "other.example", "Content-Length": "7", "transfer-encoding": "chunked" }])
      expect(String((await local({ ...options, url, headers })).body)).toBe(`hook.example:${port}`);
  });

  // rule certificates.target.2
  test("the check is made at every use: a name that turns private is refused the second time", async () => {
    const { port } = await serve((_, response) => response.end());
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return answers.shift() ?? [];
    };
    const { fetch } = openOutgoing({ resolve });
    await fetch({ ...options, url: `http://rebind.example:${port}/` });
    expect(await reasonOf(fetch({ url: "https://rebind.example/", allowPrivate: false, timeout: 1000 }))).toBe(
      "private",
    );
    expect(asked).toEqual(["rebind.example", "rebind.example"]);
  });
});

describe("exchanges", () => {
  test("sends method, headers and body, and gives status, headers and body back", async () => {
    const { url } = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () =>
        response
          .writeHead(201, { "x-said": request.headers["x-say"] })
          .end(`${request.method} ${Buffer.concat(parts).toString()}`),
      );
    });
    const answer = await local({
      ...options,
      url,
      method: "POST",
      headers: { "x-say": "hi" },
      body: Buffer.from("body"),
    });
    expect(answer).toMatchObject({ status: 201, url, headers: { "x-said": "hi" } });
    expect(String(answer.body)).toBe("POST body");
  });

  test("redirects are answers unless asked for, are followed within their number, and are checked anew", async () => {
    const seen: (string | undefined)[] = [];
    const target = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end("there");
    });
    const { url } = await serve((request, response) => {
      const to = request.url === "/away" ? target.url : request.url === "/files" ? "ftp://127.0.0.1/" : "/loop";
      response.writeHead(302, { location: to }).end();
    });
    const get = (path: string, more: Partial<OutgoingRequest> = {}) => local({ ...options, url: url + path, ...more });
    expect(await get("away")).toMatchObject({ status: 302 });
    const followed = await get("away", { redirects: 1, headers: { authorization: "Bearer x" } });
    expect(followed).toMatchObject({ status: 200, url: target.url });
    expect(seen).toEqual([undefined]);
    expect(await reasonOf(get("loop", { redirects: 3 }))).toBe("redirect");
    expect(await reasonOf(get("files", { redirects: 3 }))).toBe("url");
    expect(await get("away", { redirects: 1, method: "POST" })).toMatchObject({ status: 302 });
  });

  // rule certificates.target.3
  test("a body past the limit is refused, whether announced or not", async () => {
    const { url } = await serve((_, response) => response.write("x".repeat(5000)));
    expect(await reasonOf(local({ ...options, url, maxBytes: 4096 }))).toBe("too_large");
  });

  // rule certificates.target.3
  test("the time bounds name, head and body alike", async () => {
    const silent = await serve(() => {});
    const endless = await serve((_, response) => response.writeHead(200).write("x"));
    const asking = openOutgoing({ resolve: () => new Promise(() => {}) }).fetch;
    expect(await reasonOf(local({ ...options, url: silent.url, timeout: 100 }))).toBe("timeout");
    expect(await reasonOf(local({ ...options, url: endless.url, timeout: 100 }))).toBe("timeout");
    expect(await reasonOf(asking({ ...options, url: "http://slow.example/", timeout: 100 }))).toBe("timeout");
  });

  test("a caller's signal ends it, and says so", async () => {
    const { url } = await serve(() => {});
    const ending = new AbortController();
    const work = reasonOf(local({ ...options, url, signal: ending.signal }));
    ending.abort();
    expect(await work).toBe("aborted");
  });

  test("who watches hears of each request: its status, or 0 without an answer", async () => {
    const { url } = await serve((_, response) => response.writeHead(204).end());
    const [closed = 0] = await quietPorts(1);
    const signals = new Signals();
    const heard: SignalTable["outgoing.request"][] = [];
    signals.listen("outgoing.request", (fields) => void heard.push(fields));
    const { fetch } = openOutgoing({ signals });
    await fetch({ ...options, url, method: "DELETE" });
    await reasonOf(fetch({ ...options, url: `http://127.0.0.1:${closed}/` }));
    const ms = expect.any(Number) as number;
    expect(heard).toEqual([
      { method: "DELETE", status: 204, ms },
      { method: "GET", status: 0, ms },
    ]);
  });

  test("a refused connection names its cause", async () => {
    const [port = 0] = await quietPorts(1);
    await expect(local({ ...options, url: `http://127.0.0.1:${port}/` })).rejects.toThrow("ECONNREFUSED");
  });
});
