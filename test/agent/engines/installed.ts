// The process engines that are installed here, for tests that hold for each of them.
import { engineFactories } from "../../../src/agent/engines/all.ts";
import type { DriverFactory, EngineInfo } from "../../../src/agent/engines/contract/driver.ts";
import { findEngine } from "./rig.ts";

export interface Installed {
  readonly kind: string;
  readonly factory: DriverFactory;
  readonly info: EngineInfo;
}

/** What is missing is said aloud; in CI it fails. */
export async function installedEngines(): Promise<Installed[]> {
  const found: Installed[] = [];
  for (const factory of engineFactories.filter(
    ({ kind }) => kind === "v2ray" || kind === "xray" || kind === "sing-box",
  )) {
    const info = await findEngine(factory);
    if (info) found.push({ kind: factory.kind, factory, info });
  }
  return found;
}
