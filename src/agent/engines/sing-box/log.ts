// Reads the log of sing-box: two or three lines for one connection, joined by the number that the engine gives it.
import { plainAddress } from "../../../lib/written-address.ts";
import type { AccessLine } from "../process/view/access-log.ts";
import { unmarked } from "./tag-mark.ts";

/** Connections whose first lines are remembered; beyond it the oldest are forgotten, which then go unannounced. */
const REMEMBERED = 20_000;

// Everything up to the message is the engine's own; the message ends in what a client asked for, which may hold any
// text.
const LINE =
  /^(?:([+-]\d{4}) (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) )?(?:INFO|ERROR|WARN) \[(\d+)[^\]]*\] (inbound|outbound)\/[a-z0-9]+\[(.*)$/s;
const FROM = /^(?:\[([0-9a-zA-Z.-]+)\] )?inbound (?:packet )?connection from (\[[0-9a-fA-F:.]+\]|[0-9a-fA-F.]+):(\d+)$/;
const TO = /^\[([0-9a-zA-Z.-]+)\] inbound (packet )?(?:addr )?connection(?: to (.*))?$/s;
const OUT = /^(?:outbound|blocked|linked) (?:packet )?connection/;

interface Known {
  readonly tag: string;
  readonly source: string;
  readonly sourcePort: number;
  user: string | undefined;
  network: "tcp" | "udp";
  destination: string;
}

/**
 * `mark`: how the engine's own tags of inbounds end; lines with others are no lines of the engine.
 * A connection is announced when its user is known, and again, with the outbound, when it goes out or is refused.
 * Who a connection's user is, is decided by the first line that names one: a client can write lines of its own into a
 * host name.
 */
export function lineReader(mark = ""): (line: string) => AccessLine | undefined {
  const known = new Map<string, Known>();
  return (line) => {
    const match = LINE.exec(line);
    const [, zone, day, time, id, side, rest = ""] = match ?? [];
    if (id === undefined) return undefined;
    const end = rest.indexOf("]: ");
    if (end < 0) return undefined;
    const at = zone === undefined ? undefined : Math.floor(Date.parse(`${day}T${time}${zone}`) / 1000);
    const [whole, message] = [rest.slice(0, end), rest.slice(end + 3)];
    const tag = side === "inbound" ? unmarked(whole, mark) : whole;
    if (tag === undefined) return undefined;
    const connection = known.get(id);
    if (side === "outbound") {
      if (connection)
        return connection.user !== undefined && OUT.test(message) ? announce(connection, tag, at) : undefined;
      return message.startsWith("blocked ") ? refusedOfNobody(tag, at) : undefined;
    }
    const from = FROM.exec(message);
    if (from && !connection) {
      const [, , address = "", port = "0"] = from;
      if (known.size >= REMEMBERED) known.delete(known.keys().next().value ?? "");
      known.set(id, {
        tag,
        source: plainAddress(address),
        sourcePort: Number(port),
        user: undefined,
        network: "tcp",
        destination: "",
      });
      return undefined;
    }
    const to = TO.exec(message);
    if (!to || !connection || connection.tag !== tag) return undefined;
    const [, user, packets, destination = ""] = to;
    // Several streams of one client may share the number, but they are of one user.
    if (connection.user !== undefined && connection.user !== user) return undefined;
    connection.user = user;
    connection.network = packets === undefined ? "tcp" : "udp";
    connection.destination = destination;
    return announce(connection, "", at);
  };
}

/**
 * A stream within a multiplexed connection has a number of its own and names nobody; that it was refused still counts.
 */
function refusedOfNobody(outbound: string, at: number | undefined): AccessLine {
  return {
    at,
    source: "",
    sourcePort: 0,
    network: "tcp",
    destination: "",
    outbound,
    inboundTag: undefined,
    user: undefined,
  };
}

function announce(connection: Known, outbound: string, at: number | undefined): AccessLine {
  const { tag, source, sourcePort, user, network, destination } = connection;
  return { at, source, sourcePort, network, destination, outbound, inboundTag: tag, user };
}
