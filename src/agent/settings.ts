// What `signalbox agent` is told: options, and a configuration file of the same names behind them.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { z } from "zod";
import { reachableName } from "./data-directory.ts";
import { EngineKind } from "../protocol/messages.ts";
import { LOG_LEVELS, UsageError } from "./command-line.ts";
import { ListenAddress } from "./listen-address.ts";

const OPTIONS = {
  listen: ListenAddress,
  data: z.string().min(1, "is empty"),
  trust: z.string().min(1, "is empty"),
  engine: z.union(
    [z.literal("auto"), EngineKind.exclude(["simulated"])],
    "is none of auto, sing-box, xray, v2ray, embedded, none",
  ),
  "private-targets": z.enum(["block", "allow"], "is neither block nor allow"),
  "on-stop": z.enum(["stop", "leave"], "is neither stop nor leave"),
  "net-keeper": z.string().min(1, "is empty"),
  "log-level": z.enum(LOG_LEVELS, `is none of ${LOG_LEVELS.join(", ")}`),
};
const Given = z.strictObject(OPTIONS).partial();
type Given = z.output<typeof Given>;

/** What the agent runs with. `configFile`: where part of it came from. */
export interface AgentSettings extends Omit<z.output<z.ZodObject<typeof OPTIONS>>, "net-keeper"> {
  /** Socket of the process that changes the kernel's network for this agent; without it the agent does so itself. */
  readonly "net-keeper": string | undefined;
  readonly configFile: string | undefined;
}

export interface AgentCall {
  readonly settings: AgentSettings;
  /** Say what works and end. */
  readonly check: boolean;
  /**
   * The log level as of now: of the file as it is now, unless an option or the environment says. Throws `UsageError`.
   */
  readonly readLogLevel: () => AgentSettings["log-level"];
}

/**
 * Options win over the environment, which wins over the file. `undefined` when help was asked for. Throws `UsageError`
 * naming the option, or the file and its field.
 */
export function readAgentCall(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AgentCall | undefined {
  const { help, check, config, ...texts } = readWords(argv);
  if (help === true) return undefined;
  const options = parsed(texts, (name) => `--${name}`);
  const inFile = config === undefined ? {} : readFile(config);
  const given = { ...inFile, ...options };
  const readLogLevel = (): AgentSettings["log-level"] =>
    options["log-level"] ??
    levelOf(env) ??
    (config === undefined ? undefined : readFile(config)["log-level"]) ??
    "info";
  const settings = {
    listen: required("listen", given.listen),
    data: reachableName(required("data", given.data), process.cwd()),
    trust: required("trust", given.trust),
    engine: given.engine ?? "auto",
    "private-targets": given["private-targets"] ?? "block",
    "on-stop": given["on-stop"] ?? "stop",
    "net-keeper": given["net-keeper"],
    "log-level": readLogLevel(),
    configFile: config,
  } as const;
  return { settings, check: check === true, readLogLevel };
}

function required<T>(name: keyof typeof OPTIONS, value: T | undefined): T {
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

type Words = { help?: boolean; check?: boolean; config?: string } & { [name in keyof typeof OPTIONS]?: string };

function readWords(argv: readonly string[]): Words {
  const flag = { type: "boolean" } as const;
  const text = { type: "string" } as const;
  const names = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, text]));
  const options = { ...names, help: { ...flag, short: "h" }, check: flag, config: text } as const;
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function readFile(path: string): Given {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      error instanceof SyntaxError ? `${path} is no JSON: ${reason}` : `${path} cannot be read: ${reason}`,
      {
        cause: error,
      },
    );
  }
  return parsed(value, (name) => (name === "" ? path : `${path}: ${name}`));
}

/** `named`: how a field is called where it was written; the empty name is the whole. */
function parsed(value: unknown, named: (field: string) => string): Given {
  const result = Given.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys")
    throw new UsageError(`${named(issue.keys[0] ?? "")} is no option; known are ${Object.keys(OPTIONS).join(", ")}`);
  const field = issue?.path[0];
  throw new UsageError(
    field === undefined ? `${named("")} holds no object` : `${named(String(field))}: ${issue?.message ?? "is invalid"}`,
  );
}

/** As the panel does, an unknown level in the environment is taken for none. */
function levelOf(env: Readonly<Record<string, string | undefined>>): AgentSettings["log-level"] | undefined {
  return LOG_LEVELS.find((level) => level === env["SIGNALBOX_LOG_LEVEL"]);
}
