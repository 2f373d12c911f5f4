// xhttp as mihomo says it. An inbound's further options have the names of Xray there; a server may turn away clients
// that do not keep to them.
import type { TransportDialect } from "../../pool/index.ts";
import type { YamlValue } from "../../lib/yaml.ts";

type Fields = Readonly<Record<string, YamlValue>>;
type Xhttp = Extract<TransportDialect, { readonly type: "xhttp" }>;

/** A number, or a span of numbers: mihomo refuses a whole file over anything else. */
const RANGE = /^[1-9]\d{0,8}(-[1-9]\d{0,8})?$/;

function range(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !RANGE.test(text)) return undefined;
  const [from, to = from] = text.split("-").map(Number);
  return Number(from) <= Number(to) ? text : undefined;
}

const flag = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);

/** mihomo's name of an option, and how its value is read. */
const OPTIONS: Readonly<Record<string, readonly [name: string, read: (value: unknown) => YamlValue | undefined]>> = {
  xPaddingBytes: ["x-padding-bytes", range],
  noGRPCHeader: ["no-grpc-header", flag],
  scMaxEachPostBytes: ["sc-max-each-post-bytes", range],
  scMinPostsIntervalMs: ["sc-min-posts-interval-ms", range],
};

/** What mihomo is told of the further options, and the names of those that it is not told. */
export function xhttpOptions(extra: Xhttp["extra"]): { readonly told: Fields; readonly untold: readonly string[] } {
  const read = Object.entries(extra ?? {}).map(([key, value]) => {
    const option = Object.hasOwn(OPTIONS, key) ? OPTIONS[key] : undefined;
    const said = option?.[1](value);
    return option === undefined || said === undefined ? { key } : { key, field: [option[0], said] as const };
  });
  return {
    told: Object.fromEntries(read.flatMap(({ field }) => (field ? [field] : []))),
    untold: read.flatMap(({ key, field }) => (field ? [] : [key])),
  };
}

/** `network` and its options. */
export function xhttpFields({ path, host, mode, extra }: Xhttp): Fields {
  return {
    network: "xhttp",
    "xhttp-opts": {
      path: path || "/",
      ...(host === "" ? {} : { host }),
      ...(mode === "auto" ? {} : { mode }),
      ...xhttpOptions(extra).told,
    },
  };
}
