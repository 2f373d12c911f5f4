// `host:port` as it is typed: where something listens.

export interface ListenPlace {
  /** As it was typed. */
  readonly text: string;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

/** An IPv6 address in brackets, or a name or an IPv4 address, and a port. */
const PLACE = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/;

/** Undefined for what is no `host:port`. Port 0 takes a free one. */
export function readListenPlace(text: string): ListenPlace | undefined {
  const [, inBrackets, plain, digits] = PLACE.exec(text) ?? [];
  const host = inBrackets ?? plain;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? undefined : { text, host, port };
}
