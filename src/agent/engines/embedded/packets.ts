// UDP behind a stream protocol: datagrams counted out of the client's stream, or (SOCKS5) on a separate port.
import { createSocket } from "node:dgram";
import type { Socket } from "node:dgram";
import { once } from "node:events";
import type { PacketCodec } from "./handshake.ts";
import type { Target } from "./protocols/address.ts";
import { encodeSocksDatagram, encodeSocksReply, parseSocksDatagram, SocksReply } from "./protocols/socks.ts";
import type { Flow } from "./route.ts";
import type { Session } from "./live-user.ts";
import { nothing } from "./transports/channel.ts";
import type { Channel } from "./transports/channel.ts";
import { UdpAssociation } from "./udp.ts";
import type { FindWay } from "./udp.ts";
import type { WayOut } from "./way-out.ts";

interface Carried {
  readonly channel: Channel;
  readonly session: Session;
  readonly flow: Flow;
  readonly wayOut: WayOut;
  readonly allowPrivate: boolean;
  /** Called once, when the client's connection closed. */
  readonly onEnd: () => void;
}

/** A packet is at most 65,535 bytes and its head; a stream that grows beyond this without one is broken. */
const MAX_PACKET_BYTES = 66 * 1024;

function waysOf({ flow, wayOut }: Carried): FindWay {
  return async (target) => {
    try {
      const way = await wayOut.find({ ...flow, host: target.host, port: target.port });
      const [address] = way.addresses;
      // An upstream proxy carries no datagrams here; without an address there is no way.
      return address === undefined ? undefined : { address, tag: way.outbound.tag };
    } catch {
      // Counted where it was refused; a datagram without a way is lost, as datagrams may be.
      return undefined;
    }
  };
}

/** Datagrams within the client's stream. Answers what ends the association. */
export function carryPackets(
  carried: Carried & {
    readonly codec: PacketCodec;
    readonly target: Target;
    readonly answer: Buffer | undefined;
    readonly first: Buffer;
  },
): () => void {
  const { channel, session, codec, allowPrivate, onEnd } = carried;
  let answer = carried.answer;
  let backlog = false;
  const association = new UdpAssociation({
    session,
    findWay: waysOf(carried),
    anySource: codec.addressed,
    allowPrivate,
    deliver: (source, payload) => {
      if (backlog || !channel.writable) return false;
      if (answer) {
        channel.write(answer);
        answer = undefined;
      }
      backlog = !channel.write(codec.encode(source, payload));
      return true;
    },
  });
  let bytes: Buffer = Buffer.alloc(0);
  channel.onData = (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (;;) {
      const packet = codec.parse(bytes);
      if (packet.state === "refused" || (packet.state === "more" && bytes.length > MAX_PACKET_BYTES))
        return channel.destroy();
      if (packet.state === "more") return;
      if (packet.value) association.send(packet.value.target, packet.value.payload);
      bytes = bytes.subarray(packet.length);
    }
  };
  channel.onDrain = () => {
    backlog = false;
  };
  channel.onEnd = () => channel.end();
  channel.onClose = () => {
    association.close();
    onEnd();
  };
  if (carried.first.length > 0) channel.onData(carried.first);
  channel.resume();
  return () => association.close();
}

/**
 * SOCKS5 UDP ASSOCIATE: an extra port at the address that the client connected to, for that client's address only.
 */
export async function carryDatagrams(carried: Carried & { readonly local: string }): Promise<() => void> {
  const { channel, session, local, allowPrivate, onEnd } = carried;
  const port = createSocket(local.includes(":") ? "udp6" : "udp4");
  port.on("error", nothing);
  port.bind(0, local);
  await once(port, "listening");
  let client: number | undefined;
  const association = new UdpAssociation({
    session,
    findWay: waysOf(carried),
    anySource: true,
    allowPrivate,
    deliver: (source, payload) => {
      if (client === undefined) return false;
      port.send(encodeSocksDatagram(source, payload), client, session.facts.source, nothing);
      return true;
    },
  });
  port.on("message", (message, from) => {
    // The first port that speaks is the client's; anybody else is not listened to (RFC 1928 section 7).
    if (from.address !== session.facts.source || (client !== undefined && client !== from.port)) return;
    const datagram = parseSocksDatagram(message);
    if (datagram.state !== "done") return;
    client = from.port;
    association.send(datagram.value.target, datagram.value.payload);
  });
  const close = closer(port, association);
  channel.onData = nothing;
  channel.onEnd = () => channel.end();
  channel.onClose = () => {
    close();
    onEnd();
  };
  if (!channel.writable) {
    close();
    throw new Error("the client is gone");
  }
  channel.write(encodeSocksReply(SocksReply.succeeded, { host: local, port: port.address().port }));
  channel.resume();
  return close;
}

function closer(port: Socket, association: UdpAssociation): () => void {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    port.close();
    association.close();
  };
}
