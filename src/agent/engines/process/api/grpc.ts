// The gRPC interface that v2ray and Xray share; only the package prefix of its names differs.
import { type ChannelCredentials, Client, type ClientUnaryCall, credentials, type ServiceError } from "@grpc/grpc-js";
import type { ByteCount } from "../state/counter-tally.ts";
import type { EngineAccount } from "../dialect.ts";
import { accountMessage, countersOf, encode, onlineOf, type PackagePrefix } from "./grpc-messages.ts";

/** In-flight requests when many users change: a few hundred a second one by one, several times that together. */
const PARALLEL = 64;

const HANDLERS = "app.proxyman.command.HandlerService";
const STATISTICS = "app.stats.command.StatsService";
const ROUTING = "app.router.command.RoutingService";

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
  /** Running calls: closing only the client would let them wait for their timeouts. */
  readonly #calls = new Set<ClientUnaryCall>();
  readonly #prefix: PackagePrefix;

  /** `address`: a gRPC target, `127.0.0.1:<port>` or `unix:<path>`. */
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
    for (const call of this.#calls) call.cancel();
    this.#client.close();
  }

  /** Resolves if the engine answers within the time. */
  async ping(timeoutMs: number): Promise<void> {
    await this.#call(`${STATISTICS}/GetSysStats`, encode("Empty", {}), timeoutMs);
  }

  /** Bytes by user name since the engine started. Names that had no traffic yet are absent. */
  async userCounters(timeoutMs = 30_000): Promise<Map<string, ByteCount>> {
    const pattern = "user>>>";
    // v2ray and Xray read the one field, sing-box the other.
    const request = encode("QueryStatsRequest", { pattern, patterns: [pattern] });
    return countersOf(await this.#call(`${STATISTICS}/QueryStats`, request, timeoutMs));
  }

  /** Xray alone: who is connected now from where, in Unix seconds. */
  async onlineAddresses(): Promise<Map<string, ReadonlyMap<string, number>>> {
    return onlineOf(await this.#call(`${STATISTICS}/GetUsersStats`, encode("Empty", {})));
  }

  /**
   * Adds a user to an inbound. One who is there already counts as done: remove them first when their secret changed.
   */
  async addUser(tag: string, email: string, account: EngineAccount): Promise<void> {
    const user = { level: 0, email, account: accountMessage(this.#prefix, account) };
    await this.#alter(tag, "AddUserOperation", { user }, /already exists/i);
  }

  /** Removes a user from an inbound; one who is not there counts as done. What they have open stays open. */
  async removeUser(tag: string, email: string): Promise<void> {
    await this.#alter(tag, "RemoveUserOperation", { email }, /not found/i);
  }

  /**
   * Adds an inbound from the bytes of `inboundBytes`. The tag must be new: v2ray leaks the listener of an inbound whose
   * tag is taken.
   */
  async addInbound(handler: Uint8Array): Promise<void> {
    await this.#call(`${HANDLERS}/AddInbound`, encode("AddHandlerRequest", { handler }));
  }

  /** Closes an inbound's listener; running connections go on. An unknown tag counts as done. */
  async removeInbound(tag: string): Promise<void> {
    await this.#gone(`${HANDLERS}/RemoveInbound`, encode("RemoveHandlerRequest", { tag }));
  }

  /** Adds an outbound from bytes of `frameBytes`. Where there is no default outbound it becomes that. */
  async addOutbound(handler: Uint8Array): Promise<void> {
    await this.#call(`${HANDLERS}/AddOutbound`, encode("AddHandlerRequest", { handler }));
  }

  /** New connections find the tag no more; running ones go on. An unknown tag counts as done. */
  async removeOutbound(tag: string): Promise<void> {
    await this.#gone(`${HANDLERS}/RemoveOutbound`, encode("RemoveHandlerRequest", { tag }));
  }

  /** Puts rules behind those that are there. */
  async appendRules(rules: readonly Uint8Array[], balancers: readonly Uint8Array[]): Promise<void> {
    const value = encode("RouterConfig", { rule: rules, balancingRule: balancers });
    const config = { type: `${this.#prefix}.app.router.Config`, value };
    await this.#call(`${ROUTING}/AddRule`, encode("AddRuleRequest", { config, shouldAppend: true }));
  }

  /** An unknown tag counts as done. */
  async removeRule(ruleTag: string): Promise<void> {
    await this.#call(`${ROUTING}/RemoveRule`, encode("RemoveRuleRequest", { ruleTag }));
  }

  async #gone(method: string, request: Uint8Array): Promise<void> {
    try {
      await this.#call(method, request);
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
      await this.#call(`${HANDLERS}/AlterInbound`, encode("AlterInboundRequest", { tag, operation: typed }));
    } catch (error) {
      // "handler not found" is about the inbound, not about the user.
      if (!(error instanceof EngineApiError && done.test(error.text) && !/handler not found/i.test(error.text)))
        throw error;
    }
  }

  async #call(method: string, request: Uint8Array, timeoutMs = 10_000): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const identity = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
      const call = this.#client.makeUnaryRequest(
        `/${this.#prefix}.${method}`,
        identity,
        identity,
        request,
        { deadline: Date.now() + timeoutMs },
        (error, answer) => {
          this.#calls.delete(call);
          if (error) reject(new EngineApiError(method, error));
          else if (answer) resolve(answer);
          else reject(new Error(`engine interface, ${method}: empty answer`));
        },
      );
      this.#calls.add(call);
    });
  }
}

/** Runs `work` on all items, a bounded number at once. The first error stops further items and is thrown. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items.values();
  const runner = async (): Promise<void> => {
    for (const item of iterator) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, runner));
}
