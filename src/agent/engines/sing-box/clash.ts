// sing-box's second interface: which connections are open, and closing them one by one.
import { z } from "zod";
import type { EngineStream } from "../process/dialect.ts";
import { unmarked } from "./tag-mark.ts";

const TIMEOUT_MS = 5000;
const PARALLEL = 32;

const Row = z.object({
  id: z.string(),
  metadata: z.object({
    network: z.enum(["tcp", "udp"]).catch("tcp"),
    /** `<protocol>/<inbound tag>`. */
    type: z.string(),
    sourceIP: z.string(),
    sourcePort: z.coerce.number(),
    destinationIP: z.string().default(""),
    destinationPort: z.coerce.number(),
    host: z.string().default(""),
  }),
  upload: z.number(),
  download: z.number(),
  start: z.string(),
  /** The outbound that carries it first, then the groups that chose it. */
  chains: z.array(z.string()).nullish(),
});
const Rows = z.object({ connections: z.array(Row).nullish() });

export class ClashApi {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  readonly #mark: string;

  /** `mark`: the end of the engine's own tags of inbounds. */
  constructor(port: number, secret: string, mark: string) {
    this.#mark = mark;
    this.#base = `http://127.0.0.1:${port}`;
    this.#headers = { authorization: `Bearer ${secret}` };
  }

  async connections(): Promise<EngineStream[]> {
    const answer = await this.#ask("GET", "/connections");
    const { connections } = Rows.parse(await answer.json());
    return (connections ?? []).map((row) => toStream(row, this.#mark));
  }

  /** A connection that has ended already counts as closed. */
  async close(ids: readonly string[]): Promise<void> {
    const waiting = ids.values();
    const closer = async (): Promise<void> => {
      for (const id of waiting)
        await (await this.#ask("DELETE", `/connections/${encodeURIComponent(id)}`)).arrayBuffer();
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, ids.length) }, closer));
  }

  async #ask(method: "GET" | "DELETE", path: string): Promise<Response> {
    const answer = await fetch(this.#base + path, {
      method,
      headers: this.#headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok && answer.status !== 404)
      throw new Error(`engine interface, ${method} ${path.split("/")[1] ?? ""}: status ${answer.status}`);
    return answer;
  }
}

function toStream({ id, metadata, upload, download, start, chains }: z.infer<typeof Row>, mark: string): EngineStream {
  const tag = metadata.type.slice(metadata.type.indexOf("/") + 1);
  const host =
    metadata.host || (metadata.destinationIP.includes(":") ? `[${metadata.destinationIP}]` : metadata.destinationIP);
  const outbound = chains?.[0];
  return {
    id,
    inboundTag: unmarked(tag, mark) ?? tag,
    source: metadata.sourceIP,
    sourcePort: metadata.sourcePort,
    network: metadata.network,
    destination: `${host}:${metadata.destinationPort}`,
    ...(outbound !== undefined && { outbound }),
    up: upload,
    down: download,
    startedAt: Math.floor(Date.parse(start) / 1000),
  };
}
