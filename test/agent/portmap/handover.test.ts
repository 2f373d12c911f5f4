// A port goes from one listener to another: no new connection fails, and what is under way stays where it is.
import { describe, expect, onTestFinished, test } from "vitest";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { havePortMap, openMap, startDatagramClient, startNamed, startNamedUdp, unusedPort, whoAnswers } from "./rig.ts";

const able = await havePortMap();

describe.skipIf(!able)("handover", () => {
  test("of 1,000 new connections none fails while the port goes to and fro", async () => {
    const map = await openMap();
    const engines = [await startNamed("a"), await startNamed("b")] as const;
    const port = await unusedPort();
    const turn = async (index: number): Promise<void> =>
      map.set([{ listen: "", port, networks: ["tcp", "udp"], inner: engines[index % 2 === 0 ? 0 : 1] }]);
    await turn(0);
    const answers = new Map<string, number>();
    let moves = 0;
    const end = new AbortController();
    const moving = (async () => {
      while (!end.signal.aborted) await turn((moves += 1));
    })();
    const dial = async (host: string, count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const said = await whoAnswers(port, host).catch((error: unknown) => String(error));
        answers.set(said, (answers.get(said) ?? 0) + 1);
      }
    };
    await Promise.all(["127.0.0.1", "::1", "127.0.0.4", "127.0.0.5"].map((host) => dial(host, 250)));
    end.abort();
    await moving;
    expect((answers.get("a") ?? 0) + (answers.get("b") ?? 0), JSON.stringify([...answers])).toBe(1000);
    expect(answers.get("a")).toBeGreaterThan(0);
    expect(answers.get("b")).toBeGreaterThan(0);
    expect(moves).toBeGreaterThan(5);
  });

  test.each([4, 6] as const)(
    "flows of datagrams (IPv%d) stay with the old listener, new ones go to the new",
    async (family) => {
      const map = await openMap();
      const [before, after] = [await startNamedUdp("before"), await startNamedUdp("after")];
      const port = await unusedPort();
      await map.set([{ listen: "", port, networks: ["udp"], inner: before }]);
      const old = await startDatagramClient(family);
      expect(await old.ask(port)).toBe("before");
      await map.keepClosed([before]);
      await map.set([{ listen: "", port, networks: ["udp"], inner: after }]);
      expect(await (await startDatagramClient(family)).ask(port)).toBe("after");
      expect(await old.ask(port)).toBe("before");
    },
  );

  test("an open connection goes on when its port is moved, and when it is mapped no more", async () => {
    const map = await openMap();
    const [before, after] = [await startEcho(), await startNamed("after")];
    const port = await unusedPort();
    await map.set([{ listen: "", port, networks: ["tcp"], inner: before }]);
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const echoed = async (word: string): Promise<string> => {
      socket.write(word);
      return String((await once(socket, "data"))[0]);
    };
    expect(await echoed("one")).toBe("one");
    await map.keepClosed([before]);
    await map.set([{ listen: "", port, networks: ["tcp"], inner: after }]);
    expect(await whoAnswers(port)).toBe("after");
    expect(await echoed("two")).toBe("two");
    await map.set([]);
    expect(await echoed("three")).toBe("three");
    socket.destroy();
    await expect(whoAnswers(port)).rejects.toThrow("ECONNREFUSED");
  });
});

async function startEcho(): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => undefined).pipe(socket)).listen(0, "::");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}
