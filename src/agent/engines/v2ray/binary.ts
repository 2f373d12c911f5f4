// The v2ray programs: which version is installed, whether they accept a configuration, and an inbound in the form that
// the live interface takes.
import type { Json } from "../process/dialect.ts";
import { runProgram } from "../process/program.ts";
import { lastReason } from "../rays/last-reason.ts";

export const V2RAY = "v2ray";
const CONVERTER = "v2ctl";

/** The installed version, such as `4.34.0`; undefined when v2ray is not there. */
export async function installedVersion(): Promise<string | undefined> {
  try {
    const { text } = await runProgram(V2RAY, ["-version"], "");
    return /^V2Ray (\S+)/m.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** What v2ray has against a configuration, in one line; undefined when it takes it. */
export async function objection(config: Json): Promise<string | undefined> {
  const { code, text } = await runProgram(V2RAY, ["-test", "-config", "stdin:"], JSON.stringify(config));
  return code === 0 ? undefined : lastReason(text);
}

/** A configuration as its protobuf bytes. Throws with the converter's reason. */
export async function convert(config: Json): Promise<Uint8Array> {
  const { code, stdout, text } = await runProgram(CONVERTER, ["config", "stdin:"], JSON.stringify(config));
  if (code !== 0) throw new Error(lastReason(text));
  return stdout;
}
