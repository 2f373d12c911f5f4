// What the live view and the cutter see of the engines of one driver, and nothing else of them.
import type { PortMap } from "../../../net-admin/nft/port-map.ts";
import type { ByteCount } from "../state/counter-tally.ts";
import type { EngineControl } from "../dialect.ts";

/** An inbound as its connections are told apart: by the local port that they came in on. */
export interface ListeningInbound {
  readonly id: number;
  /** The operator's tag. */
  readonly tag: string;
  /** Where clients dial. */
  readonly port: number;
  /**
   * Every port on which its sockets and flows may appear: the public one or inner ones, of the serving process and of
   * draining ones.
   */
  readonly localPorts: readonly number[];
  readonly networks: readonly ("tcp" | "udp")[];
  /** The engine believes forwarding headers there: what its log says of the address is no evidence. */
  readonly fronted: boolean;
  /** Only headers that a front adds, and a line whose address comes from one has no port. */
  readonly trusting?: boolean;
  /** Log lines name no user. */
  readonly anonymous: boolean;
  /** New connections can come in; otherwise it is gone, and draining processes finish what they carry of it. */
  readonly open: boolean;
}

/** The engines of one driver, all its living processes together. */
export interface EnginesInView {
  /** What is open in the serving process, and what only draining ones still carry connections of. */
  inbounds(): readonly ListeningInbound[];
  /**
   * Whether this engine user (`<user>.<inbound>`) should be served now. False for a user whose removal waits for the
   * next process.
   */
  carried(name: string): boolean;
  /**
   * The engine user that a name in the log refers to, if the engine logs names of its own; otherwise the name itself.
   */
  resolve(name: string): string;
  /** Bytes by engine user, over all processes, as of the last `read`. */
  total(): Map<string, ByteCount>;
  /** Reads the counters of every process; one that does not answer in time keeps its last reading. */
  read(timeoutMs: number): Promise<void>;
  /** The living processes, the serving one first. */
  controls(): readonly { readonly control: EngineControl; localPortOf(inboundId: number): number | undefined }[];
  readonly portMap: PortMap | undefined;
  /** A user taken off an inbound over UDP goes on as long as their connection lives (`Abilities.keepsQuicUsers`). */
  readonly keepsQuicUsers: boolean;
  /**
   * Closes an inbound in every process and opens it again in the serving one, whereby all its connections over UDP end.
   */
  reopen(inboundId: number): Promise<void>;
}
