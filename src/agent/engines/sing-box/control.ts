// A running sing-box as its driver sees it: counters by gRPC, connections by the clash interface. Nothing else changes
// live.
import type { EngineControl, Endpoint, EngineStream } from "../process/dialect.ts";
import { EngineApi } from "../process/api/grpc.ts";
import { ClashApi } from "./clash.ts";

const unable = async (): Promise<never> => {
  throw new Error("sing-box changes by a second process, never live");
};

export class SingBoxControl implements EngineControl {
  readonly #api: EngineApi;
  readonly #clash: ClashApi | undefined;

  constructor(endpoint: Endpoint, mark: string) {
    this.#api = new EngineApi(endpoint.grpc, "v2ray.core");
    this.#clash = endpoint.clash && new ClashApi(endpoint.clash.port, endpoint.clash.secret, mark);
  }

  readonly addUser = unable;
  readonly removeUser = unable;
  readonly addInbound = unable;
  readonly removeInbound = unable;
  readonly changeFrame = unable;

  async ping(timeoutMs: number): Promise<void> {
    await this.#api.ping(timeoutMs);
  }

  async userCounters(timeoutMs?: number): Promise<Map<string, { up: number; down: number }>> {
    return this.#api.userCounters(timeoutMs);
  }

  async streams(): Promise<readonly EngineStream[] | undefined> {
    return this.#clash?.connections();
  }

  async closeStreams(ids: readonly string[]): Promise<void> {
    await this.#clash?.close(ids);
  }

  close(): void {
    this.#api.close();
  }
}
