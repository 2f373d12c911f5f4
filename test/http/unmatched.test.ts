// Requests that match no route: the answer is that of their path, whatever their method and body are, and they raise no
// event.
import { METHODS } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPanel, type TestPanel } from "./panel.ts";

/** `Content-Type` and bytes that a reader of bodies would refuse, each in its own way. */
const BODIES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  none: ["", ""],
  malformed: ["application/json", "{"],
  poisoned: ["application/json", '{"__proto__":{"x":1}}'],
  "too large": ["application/json", JSON.stringify("x".repeat(1024 * 1024 + 1))],
  "another type": ["text/x-odd", "abc"],
  "no type": ["", "abc"],
};

describe.each([
  { where: "without a base path", basePath: "", pending: false },
  { where: "under a hidden base path", basePath: "/hidden", pending: false },
  { where: "while setup is pending", basePath: "", pending: true },
])("$where", ({ basePath, pending }) => {
  let panel: TestPanel;
  let port: number;
  beforeAll(async () => {
    panel = await openPanel("sqlite", { basePath, pending });
    port = Number(new URL(await panel.api.app.listen({ host: "127.0.0.1", port: 0 })).port);
  });
  afterAll(() => panel.dispose());

  /**
   * The status of the answer; 0 when the connection ends without one. What the panel does not read any more may break
   * off.
   */
  function status(method: string, path: string, [type, body]: readonly [string, string]): Promise<number> {
    return new Promise((resolve) => {
      let answer = "";
      const socket = connect(port, "127.0.0.1", () => {
        const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
        socket.write(
          `${method} ${path} HTTP/1.1\r\nHost: panel\r\n${type && `Content-Type: ${type}\r\n`}${length}Connection: close\r\n\r\n${body}`,
        );
      });
      socket.on("data", (chunk) => {
        answer += chunk.toString();
        if (answer.includes("\r\n\r\n")) socket.destroy();
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve(Number(answer.split(" ")[1] ?? 0)));
    });
  }

  const NOWHERE = ["/foo", "/sub/nobody", `${basePath}/api/nothing`, `${basePath}/api/v1/nothing/at/all`];

  test.each(Object.entries(BODIES))("a body that is %s", async (_what, body) => {
    for (const path of [...NOWHERE, "/healthz"]) expect([path, await status("POST", path, body)]).toEqual([path, 404]);
    const wrong = pending ? 404 : 405;
    for (const path of ["/api/notes", "/api/v1/notes"])
      expect([path, await status("PATCH", `${basePath}${path}`, body)]).toEqual([path, wrong]);
    expect(panel.crashes).toEqual([]);
  });

  // rule http.error.4
  test("every method that Node's parser knows", async () => {
    for (const method of METHODS.filter((each) => each !== "CONNECT")) {
      for (const path of NOWHERE)
        expect([method, path, await status(method, path, ["", ""])]).toEqual([method, path, 404]);
      if (!["GET", "HEAD", "POST"].includes(method))
        expect([method, await status(method, `${basePath}/api/notes`, ["", ""])]).toEqual([
          method,
          pending ? 404 : 405,
        ]);
    }
    expect(panel.crashes).toEqual([]);
  });

  test("a method that Node's parser does not know is a 400, a tunnel is refused", async () => {
    expect(await status("FROBNICATE", "/foo", ["", ""])).toBe(400);
    // Behind a base path it is as any address that is not there.
    expect(await status("CONNECT", "elsewhere.example:443", ["", ""])).toBe(basePath === "" ? 405 : 404);
    expect(panel.crashes).toEqual([]);
  });
});
