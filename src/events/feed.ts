// The live feed: every event, as it commits, to those who listen and may hear it (rule events.log.2). Events of other
// processes are announced like those of this one.
import type { WebSocket } from "ws";
import type { Committed } from "../db/index.ts";
import { socket, type Caller, type Socket } from "../http/index.ts";
import { EVENT, type EventRow } from "../runtime/index.ts";
import { mayHear } from "./audience.ts";
import type { Catalogue } from "./catalogue.ts";
import { envelopeText } from "./envelope.ts";

/** A reader that has this much waiting is cut off; the log has what it missed. */
const MOST_WAITING = 1 << 20;

export class Feed {
  readonly #catalogue: Catalogue;
  readonly #readers = new Map<WebSocket, Caller>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** The route of the feed. */
  readonly socket: Socket = socket({
    path: "/events/stream",
    scope: "",
    summary: "Live feed of envelopes, as far as the caller's scopes go",
    handle: (reader, { caller }) => {
      this.#readers.set(reader, caller);
      reader.on("close", () => this.#readers.delete(reader));
    },
  });

  /** Follows commits. */
  follow({ facts }: Committed): void {
    if (this.#readers.size === 0) return;
    for (const event of facts.of(EVENT)) this.#tell(event);
  }

  #tell(event: EventRow): void {
    const text = envelopeText(event);
    for (const [reader, caller] of this.#readers) {
      // The caller's own scopes, which may be less than its account's. A reader whose rights change is closed.
      if (!mayHear(this.#catalogue, caller, caller.adminId, event)) continue;
      if (reader.bufferedAmount > MOST_WAITING) reader.close(1013, "too slow");
      else reader.send(text);
    }
  }
}
