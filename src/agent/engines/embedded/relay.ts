// Carries bytes between a client and its target: counts them, keeps the user's speed, lets back-pressure through, and
// ends both sides in order.
import type { Session } from "./live-user.ts";
import type { TokenBucket } from "./limiter.ts";
import type { Channel } from "./transports/channel.ts";

/**
 * One direction. Without a limit a chunk passes straight through; with one, reading stops until its slices have left on
 * time.
 */
class Pump {
  readonly #from: Channel;
  readonly #to: Channel;
  readonly #bucket: TokenBucket;
  readonly #session: Session;
  readonly #upward: boolean;
  #held: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
  #blocked = false;
  #ended = false;

  constructor(from: Channel, to: Channel, bucket: TokenBucket, session: Session, upward: boolean) {
    this.#from = from;
    this.#to = to;
    this.#bucket = bucket;
    this.#session = session;
    this.#upward = upward;
  }

  /** Takes a chunk; it is the pump's from now on. */
  push(chunk: Buffer): void {
    if (this.#held === undefined && this.#bucket.rate === 0) {
      this.#hand(chunk);
      if (this.#blocked) this.#pause();
      return;
    }
    this.#pause();
    const waiting = this.#held !== undefined;
    this.#held = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
    if (!waiting) this.#step();
  }

  /** The sender is done: so is the receiver's side once everything was handed on. */
  end(): void {
    this.#ended = true;
    if (this.#held === undefined) this.#to.end();
  }

  /** The receiver takes more. */
  drained(): void {
    this.#blocked = false;
    if (this.#timer) return;
    if (this.#held === undefined) this.#resume();
    else this.#step();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = undefined;
  }

  /** Reserves slices and hands on those whose time has come. */
  #step(): void {
    while (this.#held !== undefined && !this.#blocked) {
      const held = this.#held;
      const size = this.#bucket.rate === 0 ? held.length : Math.min(held.length, this.#bucket.slice);
      const wait = this.#bucket.reserve(size);
      if (wait > 0) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#handSlice(size);
          this.#step();
        }, wait);
        return;
      }
      this.#handSlice(size);
    }
  }

  #handSlice(size: number): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = size < held.length ? held.subarray(size) : undefined;
    this.#hand(held.subarray(0, size));
    if (this.#held !== undefined) return;
    if (this.#ended) this.#to.end();
    else if (!this.#blocked) this.#resume();
  }

  #hand(bytes: Buffer): void {
    if (!this.#to.writable) return;
    if (this.#upward) this.#session.countUp(bytes.length);
    else this.#session.countDown(bytes.length);
    this.#blocked = !this.#to.write(bytes);
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#from.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#from.resume();
  }
}

/** What goes out before the relay's own flow. */
export interface RelayStart {
  /** Payload read with the client's request. */
  readonly fromClient: Buffer;
  /** Payload read with an upstream proxy's answer. */
  readonly fromTarget: Buffer;
  /** Protocol bytes before the first payload to the client; not counted. */
  readonly answer: Buffer | undefined;
}

/** Joins two paused channels until both are closed, then calls `onEnd` once. The answer closes both at once. */
export function relay(
  client: Channel,
  target: Channel,
  session: Session,
  start: RelayStart,
  onEnd: () => void,
): () => void {
  const { user } = session.facts;
  const up = new Pump(client, target, user.buckets.up, session, true);
  const down = new Pump(target, client, user.buckets.down, session, false);
  let clientEnded = false;
  let targetEnded = false;
  let open = 2;

  const closed = (other: Channel, orderly: boolean) => {
    open -= 1;
    session.ending = true;
    // After an orderly end the other side may still have bytes to flush; after a break there is nobody to send them
    // for.
    if (!orderly) other.destroy();
    if (open > 0) return;
    up.stop();
    down.stop();
    onEnd();
  };
  client.onData = (chunk) => up.push(chunk);
  client.onDrain = () => down.drained();
  client.onEnd = () => {
    clientEnded = true;
    session.ending = targetEnded;
    up.end();
  };
  client.onClose = () => {
    down.stop();
    closed(target, clientEnded);
    // Nobody reads the answer any more, but the target's end must be noticed.
    target.onData = () => {};
    target.resume();
  };
  const toClient = (chunk: Buffer) => down.push(chunk);
  target.onData = toClient;
  target.onDrain = () => up.drained();
  target.onEnd = () => {
    targetEnded = true;
    session.ending = clientEnded;
    down.end();
  };
  target.onClose = () => {
    up.stop();
    closed(client, targetEnded);
    client.onData = () => {};
    client.resume();
  };
  if (start.answer) {
    const answer = start.answer;
    target.onData = (chunk) => {
      target.onData = toClient;
      // One write, so that a client which reads header and payload together finds them together.
      if (client.writable) client.write(answer);
      toClient(chunk);
    };
  }
  if (start.fromClient.length > 0) up.push(start.fromClient);
  if (start.fromTarget.length > 0) target.onData(start.fromTarget);
  client.resume();
  target.resume();
  return () => {
    client.destroy();
    target.destroy();
  };
}
