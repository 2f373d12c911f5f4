// The process's environment, parsed once (docs/operations.md). A variable that is not what it must be is a sentence
// that names it.
import { join, resolve } from "node:path";
import { z } from "zod";
import { readListenPlace } from "../lib/listen-place.ts";

const Listen = z.string().transform((text, context) => {
  const place = readListenPlace(text);
  if (place) return place;
  context.issues.push({ code: "custom", message: "must be host:port", input: text });
  return z.NEVER;
});

const Variables = z.object({
  SIGNALBOX_DATA_DIR: z.string().min(1).default("./data"),
  SIGNALBOX_DATABASE_URL: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, "must be sqlite:<file> or postgresql://…")
    .optional(),
  SIGNALBOX_LISTEN: Listen.optional(),
  // How long it must be is said where it counts, while setup is pending: one that was left over keeps no panel from
  // starting.
  SIGNALBOX_SETUP_TOKEN: z.string().optional(),
  SIGNALBOX_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  SIGNALBOX_ENGINE: z.enum(["auto", "sing-box", "xray", "v2ray", "embedded", "none"]).default("auto"),
  SIGNALBOX_PRIVATE_TARGETS: z.enum(["block", "allow"]).default("block"),
  SIGNALBOX_MAX_NODE_GBPS: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,3})?$/, "must be a number from 0 to 999999")
    .transform(Number)
    .default(400),
  SIGNALBOX_SECRET_KEY: z.string().optional(),
  SIGNALBOX_WEB: z.string().default("auto"),
});

export interface Environment {
  /** Absolute. */
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  readonly listen: { readonly text: string; readonly host: string; readonly port: number } | undefined;
  readonly setupToken: string | undefined;
  readonly logLevel: string;
  readonly engine: string;
  readonly privateTargets: "block" | "allow";
  /** The fastest line that a node may have; 0: any. */
  readonly maxNodeGbps: number;
  readonly secretKey: string | undefined;
  /** The panel's own files and directories, as absolute paths; they are never published. */
  readonly privatePlaces: readonly string[];
  /** The interface: `auto` (built when needed), `off`, or an absolute directory that holds one. */
  readonly web: string;
}

/** The programs of local agents, for all panels of a machine. Nobody's data directory: it is open to all users. */
export const STAGE_DIRECTORY = "/var/lib/signalbox-programs";

/** The files of a SQLite database; none for any other. */
export function databaseFiles(url: string): string[] {
  if (!url.startsWith("sqlite:")) return [];
  const file = resolve(url.slice("sqlite:".length));
  return ["", "-wal", "-shm", "-journal"].map((suffix) => `${file}${suffix}`);
}

/** Throws an Error whose message names the variable. An empty variable counts as absent. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Variables.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${String(issue?.path[0])}: ${issue?.message ?? "is invalid"}`);
  }
  const values = parsed.data;
  const dataDirectory = resolve(values.SIGNALBOX_DATA_DIR);
  const databaseUrl = values.SIGNALBOX_DATABASE_URL ?? `sqlite:${join(dataDirectory, "panel.db")}`;
  return {
    dataDirectory,
    databaseUrl,
    listen: values.SIGNALBOX_LISTEN,
    setupToken: values.SIGNALBOX_SETUP_TOKEN,
    logLevel: values.SIGNALBOX_LOG_LEVEL,
    engine: values.SIGNALBOX_ENGINE,
    privateTargets: values.SIGNALBOX_PRIVATE_TARGETS,
    maxNodeGbps: values.SIGNALBOX_MAX_NODE_GBPS,
    secretKey: values.SIGNALBOX_SECRET_KEY,
    privatePlaces: [dataDirectory, ...databaseFiles(databaseUrl), STAGE_DIRECTORY],
    web: ["auto", "off"].includes(values.SIGNALBOX_WEB) ? values.SIGNALBOX_WEB : resolve(values.SIGNALBOX_WEB),
  };
}
