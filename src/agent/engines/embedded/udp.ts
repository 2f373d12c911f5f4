// UDP for one client: finds a way for each destination, sends from sockets of its own, and brings answers back under
// the name the client used.
import { createSocket } from "node:dgram";
import type { Socket } from "node:dgram";
import { isPrivateAddress } from "../../../lib/private-addresses.ts";
import { targetText } from "./protocols/address.ts";
import type { Target } from "./protocols/address.ts";
import type { Session } from "./live-user.ts";

/** Destinations one association remembers; beyond it the one opened first is forgotten. */
const MAX_FLOWS = 256;
/** Packets that wait while a destination's way is found. */
const MAX_WAITING = 16;
/** A datagram over the speed limit is dropped when it would have to wait longer than this. */
const PATIENCE_MS = 250;

/** A checked address that datagrams of a destination go to, and the tag they leave by; undefined when it is refused. */
export type FindWay = (target: Target) => Promise<{ address: string; tag: string } | undefined>;

interface Flow {
  readonly target: Target;
  address: string | undefined;
  waiting: Buffer[];
}

export interface UdpOptions {
  readonly session: Session;
  readonly findWay: FindWay;
  /** Hands a datagram to the client; false when it was dropped because the client does not keep up. */
  readonly deliver: (source: Target, payload: Buffer) => boolean;
  /** Answers from addresses that nothing was sent to: taken (full cone) or dropped. */
  readonly anySource: boolean;
  readonly allowPrivate: boolean;
}

export class UdpAssociation {
  readonly #options: UdpOptions;
  readonly #flows = new Map<string, Flow>();
  /** The client's own name for a source, by "address port". */
  readonly #names = new Map<string, Target>();
  readonly #sockets = new Map<4 | 6, Socket>();
  #closed = false;

  constructor(options: UdpOptions) {
    this.#options = options;
  }

  /** Sends a datagram; the payload is copied when it has to wait. Never throws: datagrams get lost. */
  send(target: Target, payload: Buffer): void {
    if (this.#closed || target.port === 0) return;
    const key = targetText(target);
    const flow = this.#flows.get(key);
    if (flow?.address !== undefined) this.#transmit(flow.address, target.port, payload);
    else if (flow && flow.waiting.length < MAX_WAITING) flow.waiting.push(Buffer.from(payload));
    else if (!flow) void this.#open(key, { target, address: undefined, waiting: [Buffer.from(payload)] });
  }

  close(): void {
    this.#closed = true;
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
    this.#flows.clear();
    this.#names.clear();
  }

  async #open(key: string, flow: Flow): Promise<void> {
    if (this.#flows.size >= MAX_FLOWS) this.#forgetOldest();
    this.#flows.set(key, flow);
    const way = await this.#options.findWay(flow.target);
    const waiting = flow.waiting;
    flow.waiting = [];
    // A refused destination stays known without an address, so that it is counted once. One forgotten meanwhile is not
    // brought back.
    if (!way || this.#flows.get(key) !== flow) return;
    flow.address = way.address;
    this.#names.set(`${way.address} ${flow.target.port}`, flow.target);
    const { session } = this.#options;
    if (session.destination === "") {
      session.destination = key;
      session.outbound = way.tag;
    }
    for (const payload of waiting) this.#transmit(way.address, flow.target.port, payload);
  }

  #forgetOldest(): void {
    for (const [key, flow] of this.#flows) {
      this.#flows.delete(key);
      this.#names.delete(`${flow.address} ${flow.target.port}`);
      return;
    }
  }

  #transmit(address: string, port: number, payload: Buffer): void {
    const { session } = this.#options;
    if (!session.facts.user.buckets.up.admit(payload.length, PATIENCE_MS)) return;
    session.countUp(payload.length);
    this.#socket(address.includes(":") ? 6 : 4).send(payload, port, address, lost);
  }

  #socket(family: 4 | 6): Socket {
    const known = this.#sockets.get(family);
    if (known) return known;
    const socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      // Only literals are sent to: the address that was checked is the address that is used.
      lookup: (address, _options, found) => found(null, address, family),
    });
    socket.on("error", lost);
    socket.on("message", (payload, from) => this.#receive(from.address, from.port, payload));
    this.#sockets.set(family, socket);
    return socket;
  }

  #receive(address: string, port: number, payload: Buffer): void {
    const { session, anySource, allowPrivate, deliver } = this.#options;
    const name = this.#names.get(`${address} ${port}`);
    if (this.#closed || (!name && (!anySource || (!allowPrivate && isPrivateAddress(address))))) return;
    if (!session.facts.user.buckets.down.admit(payload.length, PATIENCE_MS)) return;
    if (deliver(name ?? { host: address, port }, payload)) session.countDown(payload.length);
  }
}

/** A datagram that could not be sent is lost, as datagrams may be. */
function lost(): void {}
