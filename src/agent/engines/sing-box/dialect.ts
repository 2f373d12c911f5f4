// sing-box as a dialect of the process driver. It changes nothing live: every change is a new process.
import type { Dialect } from "../process/dialect.ts";
import { runProgram } from "../process/program.ts";
import { accountOf, screenUsers } from "./accounts.ts";
import { compile } from "./compile.ts";
import { SingBoxControl } from "./control.ts";
import { inboundConfig, engineConfig, populate, populationWarnings } from "./populate.ts";
import { lineReader } from "./log.ts";
import { reduceFrame } from "./reduce.ts";
import { withMark } from "./tag-mark.ts";

export const SING_BOX = "sing-box";

/**
 * `tags`: what the installed sing-box was built with. `mark`: the secret end of our inbound tags, the same for all
 * processes of a driver's directory.
 */
export function singBoxDialect(tags: readonly string[], mark = ""): Dialect {
  const built = new Set(tags);
  return {
    kind: "sing-box",
    name: "sing-box",
    abilities: {
      hotUsers: false,
      hotInbounds: false,
      hotFrame: false,
      reusePort: false,
      apiPorts: 2,
      keepsQuicUsers: true,
    },
    frameShape: { routing: "route", target: "outbound", isBlock: (outbound) => outbound["type"] === "block" },
    program: { binary: SING_BOX, args: ["run", "--disable-color", "-c", "stdin"] },
    compile: (structure, options) => compile(structure, options, built),
    screen: screenUsers,
    account: accountOf,
    populate,
    populationWarnings,
    inboundConfig,
    config: (compiled, inbounds, endpoint) => withMark(engineConfig(compiled, inbounds, endpoint), mark),
    objection: async (config) => {
      const { code, text } = await runProgram(
        SING_BOX,
        ["check", "--disable-color", "-c", "stdin"],
        JSON.stringify(config),
      );
      return code === 0 ? undefined : lastReason(text);
    },
    reduceFrame,
    connect: (endpoint) => new SingBoxControl(endpoint, mark),
    lineReader: () => lineReader(mark),
    lastReason,
  };
}

/** The cause in what sing-box wrote last, less its time and level. */
export function lastReason(words: string): string {
  const lines = words.split("\n").map((line) => line.trim());
  const line =
    lines.findLast((candidate) => /\b(FATAL|panic)\b/.test(candidate)) ??
    lines.findLast((candidate) => /\bERROR\b/.test(candidate)) ??
    lines.findLast((candidate) => candidate !== "") ??
    "no reason given";
  return line.replace(/^.*?\b(?:FATAL|ERROR)\b(?:\[\d+\])?\s*(?:\[[^\]]*\]\s*)?/, "").slice(0, 300);
}
