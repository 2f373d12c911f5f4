// Inbounds that listen on loopback. Clients elsewhere reach one only through what leads to it: a front, a fallback of
// another inbound of the node, or whatever its `clientConfig` names in place of the node (rule subscriptions.entry.13).
import { isIPv4 } from "node:net";
import type { ClientConfig } from "./dialect/client-config.ts";

type Json = Readonly<Record<string, unknown>>;

/** Whether nobody but the machine itself reaches the address. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:/i, "");
  return (isIPv4(plain) && plain.startsWith("127.")) || plain === "::1" || plain.toLowerCase() === "localhost";
}

/** Where inbounds of a node hand connections on to. */
export interface HandedOn {
  readonly ports: ReadonlySet<number>;
  readonly tags: ReadonlySet<string>;
}

export function handedOn(configs: readonly Json[]): HandedOn {
  const ports = new Set<number>();
  const tags = new Set<string>();
  for (const { fallback, fallback_for_alpn: byAlpn, detour } of configs) {
    const targets = [fallback, ...(isObject(byAlpn) ? Object.values(byAlpn) : [])];
    for (const target of targets) {
      const { server = "127.0.0.1", server_port: port } = isObject(target) ? target : {};
      if (typeof server === "string" && isLoopback(server)) ports.add(Number(port));
    }
    if (typeof detour === "string") tags.add(detour);
  }
  return { ports, tags };
}

interface Listening {
  readonly tag: string;
  readonly listen: string;
  readonly port: number | undefined;
  readonly client: Pick<ClientConfig, "server" | "server_port">;
}

/** Whether it listens on loopback and nothing leads to it straight: of fronts it is not known how they reach it. */
export function isApart({ tag, listen, port, client }: Listening, { ports, tags }: HandedOn): boolean {
  const named = client.server !== undefined || client.server_port !== undefined;
  return isLoopback(listen) && !named && !tags.has(tag) && !(port !== undefined && ports.has(port));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
