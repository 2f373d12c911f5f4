// What comes in on one socket: one message after the other, in order, no faster than its rate. While one takes its time
// to be read nothing more is taken from the socket; what had come in with it waits.
import { Intake, type IntakeRate } from "./intake.ts";
import type { PeerSocket } from "./peer-contract.ts";

/** Messages that may wait. A socket that rests still hands on what it had received: some 100 kB. */
const WAITING = 1024;

interface Message {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

export interface InletPorts {
  readonly socket: PeerSocket;
  readonly rate: IntakeRate;
  /** Takes a message. A promise (it never rejects): the next one is taken when that has settled. */
  readonly take: (bytes: Buffer, isBinary: boolean) => Promise<void> | undefined;
  /** A message came that there is no room for. */
  readonly onTooMany: () => void;
}

export class Inlet {
  readonly #ports: InletPorts;
  readonly #intake: Intake;
  #waiting: Message[] = [];
  #reading = false;
  #pause: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(ports: InletPorts) {
    this.#ports = ports;
    this.#intake = new Intake(ports.rate, () => performance.now());
    const { socket } = ports;
    socket.on("message", (data, isBinary) => {
      const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data;
      this.#receive({ bytes, isBinary });
    });
    for (const frame of ["ping", "pong"] as const) socket.on(frame, () => this.#charge(0));
  }

  /** Takes nothing any more. What was not read yet may be the other side's leave. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    clearTimeout(this.#pause);
    this.#ports.socket.resume();
  }

  #receive(message: Message): void {
    if (this.#ended) return;
    this.#charge(message.bytes.length);
    if (!this.#reading) this.#take(message);
    else if (this.#waiting.length < WAITING) this.#waiting.push(message);
    else this.#ports.onTooMany();
  }

  #take({ bytes, isBinary }: Message): void {
    const reading = this.#ports.take(bytes, isBinary);
    if (!reading) return;
    this.#reading = true;
    this.#ports.socket.pause();
    void reading.then(() => this.#next());
  }

  #next(): void {
    this.#reading = false;
    while (!this.#reading) {
      const message = this.#waiting.shift();
      if (!message) break;
      this.#take(message);
    }
    this.#resume();
  }

  /** Counts what was read; the socket rests when that was too much in its time. */
  #charge(bytes: number): void {
    const ms = this.#intake.charge(bytes);
    if (ms === 0 || this.#ended) return;
    clearTimeout(this.#pause);
    this.#ports.socket.pause();
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#resume();
    }, ms);
  }

  #resume(): void {
    if (!this.#reading && !this.#pause && !this.#ended) this.#ports.socket.resume();
  }
}
