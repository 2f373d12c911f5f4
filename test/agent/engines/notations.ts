// Every way to name the node itself and what only the node can see, as a proxy user may write it.

/** How it is written on the wire: as a name, or as the bytes of an address. */
export interface Notation {
  readonly text: string;
  readonly form: "name" | "v4" | "v6";
}

/** Addresses that the test's network gives the node beside loopback, none of which proxy users may reach. */
export const PRIVATE_HERE = [
  "10.9.9.9",
  "100.64.0.9",
  "172.16.0.9",
  "192.168.0.9",
  "169.254.169.254",
  "198.18.0.9",
  "fd00:9::9",
  "fec0::9",
  "64:ff9b::7f00:1",
  "64:ff9b::a09:909",
  "2002:7f00:1::",
] as const;

/** Addresses of the node that anybody may reach, to show that what is tried would have arrived. */
export const PUBLIC_HERE = ["93.184.215.14", "2a00:1450::9"] as const;

/** What the test's DNS server answers. `turns`: one answer after the other. */
export const ZONE: Readonly<Record<string, { readonly answers: readonly string[]; readonly turns?: true }>> = {
  "public.test": { answers: [PUBLIC_HERE[0]] },
  "loop.test": { answers: ["127.0.0.1"] },
  "other-loop.test": { answers: ["127.8.8.8"] },
  "six.test": { answers: ["::1"] },
  "mapped.test": { answers: ["::ffff:127.0.0.1"] },
  "mapped-private.test": { answers: ["::ffff:10.9.9.9"] },
  "mapped-shared.test": { answers: ["::ffff:100.64.0.9"] },
  "mapped-benchmark.test": { answers: ["::ffff:198.18.0.9"] },
  "mapped-unspecified.test": { answers: ["::ffff:0.0.0.0"] },
  "unspecified.test": { answers: ["0.0.0.0"] },
  "unspecified-six.test": { answers: ["::"] },
  "private.test": { answers: ["10.9.9.9"] },
  "metadata.test": { answers: ["169.254.169.254"] },
  "local-six.test": { answers: ["fd00:9::9"] },
  "nat64.test": { answers: ["64:ff9b::7f00:1"] },
  "first-public.test": { answers: [PUBLIC_HERE[0], "127.0.0.1"] },
  "last-public.test": { answers: ["127.0.0.1", PUBLIC_HERE[0]] },
  "public-and-six.test": { answers: [PUBLIC_HERE[0], "::1"] },
  "rebinding.test": { answers: [PUBLIC_HERE[0], "127.0.0.1"], turns: true },
  "rebinding-back.test": { answers: ["127.0.0.1", PUBLIC_HERE[0]], turns: true },
};

const NAMES = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "LOCALHOST.",
  "a.localhost",
  "hosts.test",
  "HOSTS.test.",
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "0",
  "0.0.0.0",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "::1",
  "[::1]",
  "::",
  "[::]",
  "::ffff:127.0.0.1",
  "[::ffff:7f00:1]",
  "0:0:0:0:0:0:0:1",
  "fe80::1%lo",
  "::1%lo",
  "10.9.9.9",
  "169.254.169.254",
  "１２７.0.0.1",
  "127。0。0。1",
  "127.0.0.1%00.public.test",
  ...Object.keys(ZONE).filter((name) => name !== "public.test"),
  "Loop.Test.",
];

const V4 = [
  "127.0.0.1",
  "127.9.9.9",
  "127.255.255.254",
  "0.0.0.0",
  ...PRIVATE_HERE.filter((address) => address.includes(".")),
];

const V6 = [
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:0.0.0.0",
  "::ffff:10.9.9.9",
  "::127.0.0.1",
  "::ffff:0:127.0.0.1",
  "fe80::1",
  ...PRIVATE_HERE.filter((address) => address.includes(":")),
];

export const NOTATIONS: readonly Notation[] = [
  ...NAMES.map((text) => ({ text, form: "name" }) as const),
  ...V4.map((text) => ({ text, form: "v4" }) as const),
  ...V6.map((text) => ({ text, form: "v6" }) as const),
];

/** Bytes of an address literal. */
export function literalBytes({ text, form }: Notation): Buffer {
  if (form === "name") return Buffer.from(text);
  if (form === "v4") return Buffer.from(text.split(".").map(Number));
  const tail = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const plain = tail
    ? `${tail[1]}${(Number(tail[2]) * 256 + Number(tail[3])).toString(16)}:${(Number(tail[4]) * 256 + Number(tail[5])).toString(16)}`
    : text;
  const [head = "", rest] = plain.split("::");
  const groups = (part: string | undefined): number[] =>
    (part ?? "")
      .split(":")
      .filter((group) => group !== "")
      .map((group) => Number.parseInt(group, 16));
  const [front, back] = [groups(head), groups(rest)];
  const all =
    rest === undefined
      ? front
      : [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
