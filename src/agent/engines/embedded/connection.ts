// One accepted connection: from its first byte to an open session, or to a quiet end. Whatever comes in, only this
// connection can suffer.
import type { Socket } from "node:net";
import { handshake } from "./handshake.ts";
import type { Handshake, Protocol, Wish } from "./handshake.ts";
import { carryDatagrams, carryPackets } from "./packets.ts";
import { relay } from "./relay.ts";
import type { Flow } from "./route.ts";
import type { Session } from "./live-user.ts";
import type { SessionRegistry } from "./sessions.ts";
import { engineUserName, isOnInbound } from "../../../protocol/plan.ts";
import { plainAddress } from "../../../lib/written-address.ts";
import { nothing, SocketChannel } from "./transports/channel.ts";
import type { Channel } from "./transports/channel.ts";
import { WsChannel } from "./transports/ws.ts";
import { MAX_WS_HEAD_BYTES, parseWsOpening, WS_REFUSAL } from "./transports/ws-handshake.ts";
import type { WsOptions } from "./transports/ws-handshake.ts";
import { targetText } from "./protocols/address.ts";
import { UsersOnInbound, type UserDirectory } from "./users.ts";
import type { WayOut } from "./way-out.ts";

/** What all connections of an engine share. */
export interface Grounds {
  readonly users: UserDirectory;
  readonly sessions: SessionRegistry;
  readonly wayOut: WayOut;
  readonly allowPrivate: boolean;
  /** Whether the newest source is served when a user has more sources than `ipLimit`. */
  ipLimitNewest(): boolean;
  /** From accept to a complete request, TLS included; milliseconds. */
  readonly headTimeoutMs: number;
  /** How long a refused client is listened to without an answer before the connection closes; milliseconds. */
  readonly refusalMs: number;
  debug(message: string, fields: Record<string, unknown>): void;
}

export interface ServedInbound {
  readonly id: number;
  readonly tag: string;
  readonly protocol: Protocol;
  readonly ws: WsOptions | undefined;
}

const EMPTY = Buffer.alloc(0);
/** Acknowledged well within the time after which a connection counts as silent. */
const KEEP_ALIVE_MS = 15_000;

export class Connection {
  readonly source: string;
  readonly #sourcePort: number;
  readonly #socket: Socket;
  readonly #inbound: ServedInbound;
  readonly #grounds: Grounds;
  readonly #abort = new AbortController();
  #deadline: NodeJS.Timeout | undefined;
  #settled: () => void;
  #session: Session | undefined;
  #endSession: () => void = nothing;

  /**
   * `socket`: plain or TLS, with its handshake still to come. `onSettled` is called once the connection is refused,
   * closed, or opens a session.
   */
  constructor(socket: Socket, inbound: ServedInbound, grounds: Grounds, onSettled: () => void) {
    this.source = plainAddress(socket.remoteAddress);
    this.#sourcePort = socket.remotePort ?? 0;
    this.#socket = socket;
    this.#inbound = inbound;
    this.#grounds = grounds;
    this.#settled = onSettled;
    this.#deadline = setTimeout(() => this.destroy(), grounds.headTimeoutMs);
    socket.on("error", (error) => grounds.debug("connection failed", { inbound: inbound.tag, error: error.message }));
    socket.on("close", () => this.#closed());
    socket.setNoDelay(true);
    if (inbound.ws) this.#openWs(inbound.ws);
    else this.#talk(new SocketChannel(socket), EMPTY);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #closed(): void {
    this.#settle();
    this.#abort.abort();
  }

  #settle(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    const settled = this.#settled;
    this.#settled = nothing;
    settled();
  }

  #openWs(options: WsOptions): void {
    const socket = this.#socket;
    let head: Buffer = EMPTY;
    const read = (chunk: Buffer) => {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const opening = parseWsOpening(head, options);
      if (opening.state === "more" && head.length <= MAX_WS_HEAD_BYTES) return;
      socket.off("data", read);
      socket.off("end", giveUp);
      if (opening.state !== "done") {
        socket.end(WS_REFUSAL);
        socket.destroySoon();
        return;
      }
      socket.write(opening.value.answer);
      const channel = new WsChannel(socket);
      this.#talk(channel, opening.value.earlyData);
      if (head.length > opening.length) channel.feed(head.subarray(opening.length));
    };
    const giveUp = () => socket.destroy();
    socket.on("data", read);
    socket.on("end", giveUp);
  }

  /** Runs the protocol's opening talk over a channel. */
  #talk(channel: Channel, early: Buffer): void {
    const talk = handshake(
      this.#inbound.protocol,
      new UsersOnInbound(this.#grounds.users, this.#inbound.id, this.#inbound.protocol),
    );
    let bytes: Buffer = EMPTY;
    channel.onData = (chunk) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      bytes = this.#listen(channel, talk, bytes);
    };
    channel.onEnd = () => this.destroy();
    channel.resume();
    if (early.length > 0) channel.onData(early);
  }

  /** Takes the steps that the bytes allow; answers the bytes left. */
  #listen(channel: Channel, talk: Handshake, given: Buffer): Buffer {
    let bytes = given;
    while (bytes.length > 0) {
      const step = talk.next(bytes);
      if (step.step === "more") {
        if (bytes.length > talk.maxBytes) this.#refuse(channel, "the head is too long", undefined);
        return bytes;
      }
      if (step.step === "refuse") {
        this.#refuse(channel, step.reason, step.reply);
        return EMPTY;
      }
      bytes = bytes.subarray(step.length);
      if (step.step === "open") {
        this.#pauseAndOpen(channel, step.wish, bytes);
        return EMPTY;
      }
      channel.write(step.bytes);
    }
    return EMPTY;
  }

  /** Says what the protocol says to a refused client, or nothing, and closes after the same time whatever was wrong. */
  #refuse(channel: Channel, reason: string, reply: Buffer | undefined): void {
    this.#grounds.debug("refused", { inbound: this.#inbound.tag, source: this.source, reason });
    clearTimeout(this.#deadline);
    channel.onData = nothing;
    channel.resume();
    if (reply) {
      channel.write(reply);
      channel.end();
    }
    this.#deadline = setTimeout(() => this.destroy(), this.#grounds.refusalMs);
  }

  #pauseAndOpen(channel: Channel, wish: Wish, rest: Buffer): void {
    let kept = rest;
    channel.pause();
    // A paused channel may still hand over what it has read.
    channel.onData = (chunk) => {
      kept = Buffer.concat([kept, chunk]);
    };
    let ended = false;
    channel.onEnd = () => {
      ended = true;
    };
    void this.#openOrRefuse(
      channel,
      wish,
      () => kept,
      () => ended,
    );
  }

  /** Never rejects. `rest`, `ended`: what came from the client while its target was sought. */
  async #openOrRefuse(channel: Channel, wish: Wish, rest: () => Buffer, ended: () => boolean): Promise<void> {
    try {
      await this.#open(channel, wish, rest);
      if (ended()) channel.onEnd();
    } catch (error) {
      if (!this.#socket.destroyed)
        this.#refuse(channel, error instanceof Error ? error.message : String(error), wish.failed?.(error));
      this.#end();
    }
  }

  async #open(channel: Channel, wish: Wish, rest: () => Buffer): Promise<void> {
    const { sessions, users, wayOut } = this.#grounds;
    const { user, target } = wish;
    const { id: inboundId, tag: inbound } = this.#inbound;
    if (!sessions.admits(user, this.source)) await sessions.findSilent(user);
    if (this.#grounds.ipLimitNewest() && !sessions.admits(user, this.source)) sessions.makeRoom(user);
    // Nothing is waited for between this and the opening: others come meanwhile.
    if (!sessions.admits(user, this.source)) throw new Error("the user's limit of sources is reached");
    if (this.#socket.destroyed || users.byId(user.id) !== user || !isOnInbound(user, inboundId))
      throw new Error("the client is gone");
    // So that one who is there and says nothing can be told from one who is gone.
    if (user.ipLimit > 0) this.#socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const network = wish.carry === "stream" ? "tcp" : "udp";
    const session = sessions.open(
      { user, inboundId, inbound, network, source: this.source, sourcePort: this.#sourcePort },
      () => {
        this.#endSession();
        this.destroy();
        this.#end();
      },
    );
    this.#session = session;
    const flow: Flow = {
      inbound,
      user: engineUserName(user.id, inboundId),
      network,
      host: target.host,
      port: target.port,
    };
    if (wish.carry === "stream") {
      session.destination = targetText(target);
      const way = await wayOut.find(flow);
      session.outbound = way.outbound.tag;
      const { socket, early } = await wayOut.connect(way, flow, this.#abort.signal);
      if (this.#socket.destroyed || users.byId(user.id) !== user || !isOnInbound(user, inboundId)) {
        socket.destroy();
        throw new Error("the client is gone");
      }
      this.#settle();
      if (wish.opened) channel.write(wish.opened);
      const fromClient = wish.first ? Buffer.concat([wish.first, rest()]) : rest();
      this.#endSession = relay(
        channel,
        new SocketChannel(socket),
        session,
        { fromClient, fromTarget: early, answer: wish.answer },
        () => this.#end(),
      );
      return;
    }
    this.#settle();
    const carried = {
      channel,
      session,
      flow,
      wayOut,
      allowPrivate: this.#grounds.allowPrivate,
      onEnd: () => this.#end(),
    };
    this.#endSession =
      wish.carry === "datagrams"
        ? await carryDatagrams({ ...carried, local: plainAddress(this.#socket.localAddress) })
        : carryPackets({ ...carried, codec: wish.carry, target, answer: wish.answer, first: rest() });
  }

  #end(): void {
    this.#abort.abort();
    if (this.#session) this.#grounds.sessions.remove(this.#session);
  }
}
