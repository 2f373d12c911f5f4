// VLESS, version 0: the request head, and the counted packets of its UDP command. Pure: bytes in, meaning out.
import { parseHost, VLESS_ADDRESS } from "./address.ts";
import type { Target } from "./address.ts";
import { done, MORE, refused } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

/** `mux`: frames follow, and the first one names the target (`xudp.ts`). */
export type VlessHead = {
  /** The sixteen bytes of the user's UUID, one character a byte. */
  readonly uuid: string;
} & ({ readonly network: "tcp" | "udp"; readonly target: Target } | { readonly network: "mux" });

/** What the server sends before its first downstream bytes: version 0, no add-ons. */
export const VLESS_ANSWER = Buffer.from([0, 0]);

/**
 * Reads version, UUID, add-ons, command, port, address. A flow (vision) is refused: the engine speaks plain VLESS.
 */
export function parseVlessHead(bytes: Buffer): Parsed<VlessHead> {
  if (bytes.length === 0) return MORE;
  if (bytes[0] !== 0) return refused(`version ${bytes[0]} is unknown`);
  const addons = bytes[17];
  if (addons === undefined) return MORE;
  const at = 18 + addons;
  if (bytes.length < at) return MORE;
  const flow = addonsFlow(bytes.subarray(18, at));
  if (flow === undefined) return refused("the add-ons are malformed");
  if (flow !== "") return refused(`flow ${JSON.stringify(flow.slice(0, 40))} is not served`);
  const command = bytes[at];
  if (command === undefined) return MORE;
  const uuid = bytes.toString("latin1", 1, 17);
  if (command === 3) return done({ uuid, network: "mux" }, at + 1);
  if (command !== 1 && command !== 2) return refused(`command ${command} is unknown`);
  if (bytes.length < at + 3) return MORE;
  const port = bytes.readUInt16BE(at + 1);
  const host = parseHost(bytes, at + 3, VLESS_ADDRESS);
  if (host.state !== "done") return host;
  const head: VlessHead = {
    uuid,
    network: command === 1 ? "tcp" : "udp",
    target: { host: host.value, port },
  };
  return done(head, at + 3 + host.length);
}

/**
 * Field 1 (flow, a string) of the add-ons message; "" without one, undefined when the protobuf is broken. Other fields
 * are passed over.
 */
function addonsFlow(bytes: Buffer): string | undefined {
  let flow = "";
  let at = 0;
  while (at < bytes.length) {
    // A 255 byte message has only one-byte keys and lengths of one or two bytes that matter here.
    const key = bytes[at++] ?? 0;
    if (key > 127) return undefined;
    const wire = key & 7;
    if (wire === 0) {
      while (((bytes[at] ?? 0) & 128) !== 0) at += 1;
      at += 1;
    } else if (wire === 2) {
      let size = bytes[at++];
      if (size === undefined) return undefined;
      if (size > 127) {
        const high = bytes[at++];
        if (high === undefined || high > 127) return undefined;
        size = (size & 127) | (high << 7);
      }
      if (key >> 3 === 1) flow = bytes.toString("latin1", at, Math.min(at + size, bytes.length));
      at += size;
    } else if (wire === 1 || wire === 5) {
      at += wire === 1 ? 8 : 4;
    } else {
      return undefined;
    }
  }
  return at === bytes.length ? flow : undefined;
}

/** One packet of the UDP command: two bytes of length, then so many bytes. `value` is a view on the input. */
export function parseVlessPacket(bytes: Buffer): Parsed<Buffer> {
  if (bytes.length < 2) return MORE;
  const size = bytes.readUInt16BE(0);
  return bytes.length < 2 + size ? MORE : done(bytes.subarray(2, 2 + size), 2 + size);
}

/** A packet with its length before it. `payload` holds at most 65,535 bytes. */
export function encodeVlessPacket(payload: Buffer): Buffer {
  const out = Buffer.allocUnsafe(2 + payload.length);
  out.writeUInt16BE(payload.length, 0);
  payload.copy(out, 2);
  return out;
}
