// Whether a list of addresses and ranges holds an address, as the panel reads such lists. Pure.

interface Numbered {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

function ipv4(text: string): Numbered | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return { bits: 32, value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n) };
}

function ipv6(text: string): Numbered | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted?.[2] === undefined ? undefined : ipv4(dotted[2]);
  const plain =
    dotted?.[1] !== undefined && tail
      ? `${dotted[1]}${(tail.value >> 16n).toString(16)}:${(tail.value & 0xffffn).toString(16)}`
      : text;
  const [head = "", rest, ...more] = plain.split("::");
  if (more.length > 0) return undefined;
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [left, right] = [groups(head), groups(rest ?? "")];
  const gap = 8 - left.length - right.length;
  if (rest === undefined ? gap !== 0 : gap < 1) return undefined;
  const all = [...left, ...Array.from({ length: gap }, () => "0"), ...right];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return { bits: 128, value: all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n) };
}

/** An IPv4 address within IPv6 is that IPv4 address. */
function addressOf(text: string): Numbered | undefined {
  const found = ipv4(text) ?? ipv6(text);
  if (found?.bits === 128 && found.value >> 32n === 0xffffn) return { bits: 32, value: found.value & 0xffffffffn };
  return found;
}

/** `list`: addresses and ranges between commas or spaces. What is no address holds nothing. */
export function holdsAddress(list: string, address: string): boolean {
  const wanted = addressOf(address);
  if (!wanted) return false;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [text = "", length] = entry.split("/");
      const range = addressOf(text);
      if (!range || range.bits < wanted.bits) return false;
      // A range of IPv4 that is written within IPv6 counts its bits there.
      const before = range.bits === 32 && text.includes(":") ? 96 : 0;
      const prefix = length === undefined ? range.bits : Number(length) - before;
      if (!Number.isInteger(prefix) || prefix < 0 || prefix > range.bits) return false;
      const rest = BigInt(range.bits - prefix);
      // A range of IPv6 holds the IPv4 addresses within it.
      const value = range.bits === wanted.bits ? wanted.value : (0xffffn << 32n) | wanted.value;
      return range.value >> rest === value >> rest;
    });
}
