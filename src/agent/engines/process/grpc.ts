// The gRPC interface that v2ray and Xray share; only the package prefix of its names differs.
import { type ChannelCredentials, Client, credentials, type ServiceError } from "@grpc/grpc-js";
import protobuf from "protobufjs";
import { z } from "zod";

// Handler configurations stay opaque bytes: they come ready made from the engine's own converter.
const { root } = protobuf.parse(`
syntax = "proto3";
message Empty {}
message TypedMessage { string type = 1; bytes value = 2; }
message User { uint32 level = 1; string email = 2; TypedMessage account = 3; }
message AddUserOperation { User user = 1; }
message RemoveUserOperation { string email = 1; }
message AlterInboundRequest { string tag = 1; TypedMessage operation = 2; }
message AddInboundRequest { bytes inbound = 1; }
message RemoveInboundRequest { string tag = 1; }
message Stat { string name = 1; int64 value = 2; }
message QueryStatsRequest { string pattern = 1; bool reset = 2; repeated string patterns = 3; }
message QueryStatsResponse { repeated Stat stat = 1; }
message VlessAccount { string id = 1; string flow = 2; string encryption = 3; }
message VmessAccount { string id = 1; uint32 alter_id = 2; }
message TrojanAccount { string password = 1; }
message Config { repeated bytes inbound = 1; }
`);

const message = (name: string): protobuf.Type => root.lookupType(name);
const encode = (name: string, value: Record<string, unknown>): Uint8Array => message(name).encode(message(name).create(value)).finish();

const StatList = z.object({ stat: z.array(z.object({ name: z.string().default(""), value: z.number().default(0) })).default([]) });
const ConfigBytes = z.object({ inbound: z.array(z.instanceof(Uint8Array)).default([]) });

/** An engine user's secret, by protocol. */
export type EngineAccount =
  | { readonly protocol: "vless" | "vmess"; readonly uuid: string }
  | { readonly protocol: "trojan"; readonly password: string };

/** Names of the two dialects of this interface. */
export type PackagePrefix = "v2ray.core" | "xray";

/** In-flight requests when many users change: a few hundred a second one by one, several times that together. */
const PARALLEL = 64;

/** The engine's answer was an error. `text` is what it said. */
export class EngineApiError extends Error {
  readonly text: string;

  constructor(method: string, error: ServiceError) {
    super(`engine interface, ${method}: ${error.details}`, { cause: error });
    this.name = "EngineApiError";
    this.text = error.details;
  }
}

/** Live changes and counters of one engine process. Counters are never reset: readers keep their own last values. */
export class EngineApi {
  readonly #client: Client;
  readonly #prefix: PackagePrefix;

  constructor(address: string, prefix: PackagePrefix, security: ChannelCredentials = credentials.createInsecure()) {
    this.#prefix = prefix;
    this.#client = new Client(address, security, {
      // Two counters of some 60 bytes for every user and inbound.
      "grpc.max_receive_message_length": 512 * 1024 * 1024,
      "grpc.enable_http_proxy": 0,
      "grpc.initial_reconnect_backoff_ms": 50,
      "grpc.min_reconnect_backoff_ms": 50,
      "grpc.max_reconnect_backoff_ms": 500,
    });
  }

  close(): void {
    this.#client.close();
  }

  /** Resolves if the engine answers within the time. */
  async ping(timeoutMs: number): Promise<void> {
    await this.#call("app.stats.command.StatsService/GetSysStats", encode("Empty", {}), timeoutMs);
  }

  /** Bytes by user name since the engine started. Names that had no traffic yet are absent. */
  async userCounters(timeoutMs = 30_000): Promise<Map<string, { up: number; down: number }>> {
    const pattern = "user>>>";
    const answer = await this.#call(
      "app.stats.command.StatsService/QueryStats",
      encode("QueryStatsRequest", { pattern, patterns: [pattern] }),
      timeoutMs,
    );
    const type = message("QueryStatsResponse");
    const { stat } = StatList.parse(type.toObject(type.decode(answer), { longs: Number }));
    const counters = new Map<string, { up: number; down: number }>();
    for (const { name, value } of stat) {
      const match = /^user>>>(.+)>>>traffic>>>(uplink|downlink)$/.exec(name);
      if (match?.[1] === undefined) continue;
      const count = counters.get(match[1]) ?? { up: 0, down: 0 };
      if (match[2] === "uplink") count.up = value;
      else count.down = value;
      counters.set(match[1], count);
    }
    return counters;
  }

  /** Adds a user to an inbound. One who is there already counts as done: remove him first when his secret changed. */
  async addUser(tag: string, email: string, account: EngineAccount): Promise<void> {
    const user = { level: 0, email, account: this.#account(account) };
    await this.#alter(tag, "AddUserOperation", { user }, /already exists/i);
  }

  /** Removes a user from an inbound; one who is not there counts as done. What he has open stays open. */
  async removeUser(tag: string, email: string): Promise<void> {
    await this.#alter(tag, "RemoveUserOperation", { email }, /not found/i);
  }

  /** Adds an inbound from the bytes of `inboundBytes`. The tag must be new: v2ray leaks the listener of an inbound whose tag is taken. */
  async addInbound(inbound: Uint8Array): Promise<void> {
    await this.#call("app.proxyman.command.HandlerService/AddInbound", encode("AddInboundRequest", { inbound }));
  }

  /** Closes an inbound's listener; running connections go on. An unknown tag counts as done. */
  async removeInbound(tag: string): Promise<void> {
    try {
      await this.#call("app.proxyman.command.HandlerService/RemoveInbound", encode("RemoveInboundRequest", { tag }));
    } catch (error) {
      if (!(error instanceof EngineApiError && /not enough information|not found/i.test(error.text))) throw error;
    }
  }

  async #alter(
    tag: string,
    operation: "AddUserOperation" | "RemoveUserOperation",
    value: Record<string, unknown>,
    done: RegExp,
  ): Promise<void> {
    const typed = { type: `${this.#prefix}.app.proxyman.command.${operation}`, value: encode(operation, value) };
    try {
      await this.#call("app.proxyman.command.HandlerService/AlterInbound", encode("AlterInboundRequest", { tag, operation: typed }));
    } catch (error) {
      // "handler not found" is about the inbound, not about the user.
      if (!(error instanceof EngineApiError && done.test(error.text) && !/handler not found/i.test(error.text))) throw error;
    }
  }

  #account(account: EngineAccount): { type: string; value: Uint8Array } {
    const type = `${this.#prefix}.proxy.${account.protocol}.Account`;
    if (account.protocol === "trojan") return { type, value: encode("TrojanAccount", { password: account.password }) };
    const name = account.protocol === "vless" ? "VlessAccount" : "VmessAccount";
    return { type, value: encode(name, { id: account.uuid, ...(account.protocol === "vless" && { encryption: "none" }) }) };
  }

  async #call(method: string, request: Uint8Array, timeoutMs = 10_000): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const identity = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
      this.#client.makeUnaryRequest(
        `/${this.#prefix}.${method}`,
        identity,
        identity,
        request,
        { deadline: Date.now() + timeoutMs },
        (error, answer) => {
          if (error) reject(new EngineApiError(method, error));
          else if (answer) resolve(answer);
          else reject(new Error(`engine interface, ${method}: empty answer`));
        },
      );
    });
  }
}

/** The first inbound of an engine's own serialised configuration (`core.Config`), as `addInbound` takes it. */
export function inboundBytes(config: Uint8Array): Uint8Array {
  const type = message("Config");
  const [inbound] = ConfigBytes.parse(type.toObject(type.decode(config))).inbound;
  if (!inbound) throw new Error("the converted configuration holds no inbound");
  return inbound;
}

/** Runs `work` on all items, a bounded number at once. The first error stops further items and is thrown. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items.values();
  const runner = async (): Promise<void> => {
    for (const item of iterator) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, runner));
}
