// Which sing-box is installed, and what it was built with.
import { runProgram } from "../process/program.ts";
import { SING_BOX } from "./dialect.ts";

export interface InstalledSingBox {
  /** `unknown` for a build that was not told its version. */
  readonly version: string;
  readonly tags: readonly string[];
}

/** Without it nobody's traffic could be counted. */
export const COUNTING_TAG = "with_v2ray_api";

/** Undefined when sing-box is not there. */
export async function probeSingBox(): Promise<InstalledSingBox | undefined> {
  try {
    const { code, text } = await runProgram(SING_BOX, ["version"], "");
    const version = /^sing-box version (\S+)/m.exec(text)?.[1];
    if (code !== 0 || version === undefined) return undefined;
    const tags = /^Tags: (.*)$/m.exec(text)?.[1] ?? "";
    return {
      version,
      tags: tags
        .split(",")
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ""),
    };
  } catch {
    // Not on the PATH.
    return undefined;
  }
}
