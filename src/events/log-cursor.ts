// Cursors of the log: where a reader is, in a text that tells it nothing.
//
// A cursor names the event that it stands behind by position, id and time. After a restore positions and ids come
// again, for other events at other times: a cursor of the history that was undone names none that is there. It is
// sealed, since positions would tell how much happened that its reader may not see.
import { hkdfSync } from "node:crypto";
import { openSecret, SealError, sealSecret } from "../lib/seal.ts";

/** A place in the log: behind an event, or (all 0) before the first one. */
export interface Place {
  readonly position: number;
  readonly id: number;
  /** Unix seconds. */
  readonly time: number;
}

export interface LogCursor extends Place {
  readonly epoch: string;
}

export const samePlace = (one: Place, other: Place): boolean =>
  one.position === other.position && one.id === other.id && one.time === other.time;

const CONTEXT = { table: "events", column: "cursor", id: 0 };
/** Longer texts are no cursors. */
export const MOST_CURSOR = 512;

export class LogCursors {
  readonly #key: Uint8Array;

  /** A key of its own is made from the panel's: cursors are sealed by the million, secrets are not. */
  constructor(secretKey: Uint8Array) {
    this.#key = new Uint8Array(hkdfSync("sha256", secretKey, "", "signalbox cursors of the event log", 32));
  }

  write({ epoch, position, id, time }: LogCursor): string {
    return sealSecret(this.#key, `${position}.${id}.${time}.${epoch}`, CONTEXT);
  }

  /** Undefined for what no panel with this key wrote. */
  read(text: string): LogCursor | undefined {
    try {
      const opened = openSecret(this.#key, text, CONTEXT);
      const [, position, id, time, epoch = ""] = /^(\d+)\.(\d+)\.(\d+)\.(.*)$/s.exec(opened) ?? [];
      return epoch === "" ? undefined : { epoch, position: Number(position), id: Number(id), time: Number(time) };
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }
}
