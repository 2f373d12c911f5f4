// Which engines tests of the agent run with: all that it can drive and that are installed.
import type { EngineKind } from "../../src/protocol/messages.ts";
import { engineFactories } from "../../src/agent/engines/all.ts";

/** Kinds of installed engines that serve. Throws in CI when one that the agent can drive is missing. */
export async function enginesHere(): Promise<readonly EngineKind[]> {
  const found: EngineKind[] = [];
  for (const factory of engineFactories) {
    if (factory.kind === "none") continue;
    if (await factory.probe()) found.push(factory.kind);
    else if (process.env["CI"] === "true") throw new Error(`${factory.kind} is not installed`);
    else console.warn(`skipped: ${factory.kind} is not installed`);
  }
  return found;
}

/** The engines that run in a process of their own. */
export async function processEnginesHere(): Promise<readonly EngineKind[]> {
  return (await enginesHere()).filter((kind) => kind !== "embedded");
}
