// A user of an HTTP inbound: the one protocol that every engine serves and that needs no proxy client.
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { randomUUID } from "node:crypto";
import type { PanelParams } from "../../src/protocol/messages.ts";
import type { PlanUser } from "../../src/protocol/plan.ts";
import { planUser } from "./fixture.ts";

/** A user that every engine accepts. */
export function realUser(id: number): PlanUser {
  return { ...planUser(id), uuid: randomUUID() };
}

/** One HTTP inbound on loopback, number 1, with these users. */
export function httpPlan(port: number, users: readonly PlanUser[]): PanelParams<"state.apply"> {
  const inbound = {
    kind: "inbound",
    id: 1,
    tag: "in",
    type: "http",
    config: { listen: "127.0.0.1", listen_port: port },
  } as const;
  return { revision: 1, objects: { put: { "inbound:1": inbound }, drop: [] }, users: { put: [...users] } };
}

const login = (user: PlanUser): string => `Basic ${Buffer.from(`${user.uuid}:${user.password}`).toString("base64")}`;

/** A tunnel through the proxy to a port of this machine. Rejects when it is refused. */
export async function tunnel(proxyPort: number, user: PlanUser, targetPort: number): Promise<Socket> {
  const socket = connect(proxyPort, "127.0.0.1");
  socket.on("error", () => undefined);
  const target = `127.0.0.1:${targetPort}`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${login(user)}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  if (!answer.toString("latin1").includes(" 200 "))
    throw new Error(`the proxy answered ${answer.toString("latin1", 0, 40)}`);
  return socket;
}

/**
 * A download through the proxy. `received` grows while it runs; `finished` resolves to the bytes of the body, also of
 * one that was cut.
 */
export class HttpDownload {
  readonly finished: Promise<number>;
  received = 0;

  constructor(proxyPort: number, user: PlanUser, targetPort: number, path: string) {
    this.finished = this.#run(proxyPort, user, targetPort, path);
  }

  async #run(proxyPort: number, user: PlanUser, targetPort: number, path: string): Promise<number> {
    const outgoing = request({
      host: "127.0.0.1",
      port: proxyPort,
      path: `http://127.0.0.1:${targetPort}${path}`,
      agent: false,
      headers: { "proxy-authorization": login(user) },
    });
    // Also when the answer has begun: what had arrived counts.
    outgoing.on("error", () => undefined);
    outgoing.end();
    try {
      const [response] = (await once(outgoing, "response")) as [AsyncIterable<Buffer> & { statusCode: number }];
      if (response.statusCode !== 200) return 0;
      for await (const chunk of response) this.received += chunk.length;
    } catch {
      // Refused or cut: what had arrived counts.
    }
    return this.received;
  }
}
