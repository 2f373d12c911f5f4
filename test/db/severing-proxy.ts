// A relay before PostgreSQL that can cut a connection around its COMMIT: before the server hears it, or before the
// panel hears the answer.
import { createServer, connect, type AddressInfo, type Socket } from "node:net";

export type Cut = "never" | "before commit" | "before the answer";

export interface SeveringProxy {
  readonly url: string;
  /** The next COMMIT meets this, once. */
  cut: Cut;
  readonly cuts: number;
  /** While true nothing is passed on, in either direction, and nobody is told: a machine that vanished. */
  silent: boolean;
  close(): Promise<void>;
}

export async function severingProxy(database: string): Promise<SeveringProxy> {
  const target = new URL(database);
  const state = { cut: "never" as Cut, cuts: 0, silent: false };
  const sockets = new Set<Socket>();
  const server = createServer((panel) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [panel, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    let severed = false;
    upstream.on("data", (chunk) => {
      if (!severed && !state.silent) panel.write(chunk);
    });
    panel.on("data", (chunk) => {
      if (state.silent) return;
      if (state.cut === "never" || !chunk.includes("commit\0")) {
        upstream.write(chunk);
        return;
      }
      const { cut } = state;
      state.cut = "never";
      state.cuts++;
      severed = true;
      if (cut === "before commit") upstream.destroy();
      else upstream.write(chunk);
      panel.destroy();
    });
    panel.on("close", () => {
      if (!severed) upstream.destroy();
    });
    upstream.on("close", () => panel.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(database);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    get cut() {
      return state.cut;
    },
    set cut(cut) {
      state.cut = cut;
    },
    get cuts() {
      return state.cuts;
    },
    get silent() {
      return state.silent;
    },
    set silent(silent) {
      state.silent = silent;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
