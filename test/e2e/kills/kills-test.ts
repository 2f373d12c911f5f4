// Panel, agent and engine are killed at random while users download: nothing is lost or counted twice, nobody is cut
// off but by the kill of an engine, and every status ends right by itself.
//
// Engines that are processes outlive their agent; the embedded engine is the agent. A file for each engine, so that
// they run beside each other; `npm run kills` runs many more rounds.
import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../../src/db/table.ts";
import { dialects } from "../../database.ts";
import { enginesHere } from "../../agent/engines-here.ts";
import { findV2ray } from "../../agent/engines/rig.ts";
import { faultsOf } from "./faults.ts";
import { runKills, type Victim } from "./trial.ts";
import type { E2eOptions } from "../panel.ts";

/** The users' program. */
const client = await findV2ray();
const here: readonly string[] = await enginesHere();
const others: readonly (readonly Victim[])[] = [["panel"], ["agent"], ["panel", "agent"]];
const all: readonly (readonly Victim[])[] = [...others, ["engine"], ["agent", "engine"], ["panel", "agent", "engine"]];
type KilledEngine = NonNullable<E2eOptions["engine"]>;

interface Trial {
  readonly dialect: Dialect;
  readonly rounds: number;
  readonly victims: readonly (readonly Victim[])[];
  readonly name: string;
}

/** A handful. Without kills of the engine nobody may be cut off, and no byte may miss. */
function trialsOf(engine: KilledEngine): readonly Trial[] {
  if (engine === "embedded") return [{ dialect: "sqlite", rounds: 5, victims: [["panel"]], name: "the panel" }];
  const dialect = engine === "v2ray" ? (dialects.at(-1) ?? "sqlite") : "sqlite";
  return [
    { dialect, rounds: 5, victims: others, name: "panel and agent" },
    { dialect: "sqlite", rounds: 3, victims: all, name: "panel, agent and engine" },
  ];
}

/** The tests of one engine; skipped where it, or the users' program, is not installed. */
export function testKills(engine: KilledEngine): void {
  describe.skipIf(!client || !here.includes(engine))(`kills during traffic with ${engine}`, () => {
    it.each(trialsOf(engine))("of $name on $dialect, $rounds times", async ({ dialect, rounds, victims }) => {
      const seed = Number(process.env["SIGNALBOX_SEED"] ?? randomInt(2 ** 31));
      console.info(`kills with ${engine}: SIGNALBOX_SEED=${seed}`);
      const report = await runKills({ engine, dialect, rounds, seed, victims });
      console.info(report);
      expect(faultsOf(report)).toEqual([]);
      if (report.kills.engine === 0) for (const { longestGap } of report.users) expect(longestGap).toBeLessThan(2000);
    });
  });
}
