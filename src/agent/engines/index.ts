// The engines this agent knows, and which one it takes.
import type { EngineKind } from "../../protocol/messages.ts";
import type { DriverFactory, EngineInfo } from "./contract/driver.ts";

export { canListen } from "./process/ports/ports.ts";

/** `auto` prefers an installed engine, in this order, to the one in the agent's own process. */
const AUTO_ORDER: readonly EngineKind[] = ["xray", "sing-box", "v2ray", "embedded"];

export interface EngineChoice {
  readonly factory: DriverFactory;
  readonly info: EngineInfo;
}

/**
 * The engine to run: the named one, or for `auto` the first that is installed. Rejects with a sentence when there is
 * none.
 */
export async function chooseEngine(
  kind: "auto" | EngineKind,
  factories: readonly DriverFactory[],
): Promise<EngineChoice> {
  const wanted = kind === "auto" ? AUTO_ORDER : [kind];
  for (const candidate of wanted) {
    const factory = factories.find((known) => known.kind === candidate);
    const info = await factory?.probe();
    if (factory !== undefined && info !== undefined) return { factory, info };
  }
  if (kind === "auto") throw new Error("no engine is installed");
  const known = factories.find((factory) => factory.kind === kind);
  const obstacle = await known?.obstacle?.();
  if (obstacle !== undefined) throw new Error(obstacle);
  throw new Error(
    known
      ? `the engine ${kind} is not installed on this machine`
      : `this agent cannot drive the engine ${kind}; it knows ${factories.map((factory) => factory.kind).join(", ")}`,
  );
}
