// Changes under load break nobody's download: users come and go, and an edit touches every inbound.
import { describe, expect, test } from "vitest";
import type { Structure } from "../../../src/protocol/plan.ts";
import { installedEngines } from "./installed.ts";
import { type Drip, reaches, startDrip, until, user, users } from "./rig.ts";
import { goesOn, insist, setStage, type Stage, unreached } from "./stage.ts";
import { sentences } from "../sentences.ts";

const engines = await installedEngines();
const DOWNLOADS = 50;
const CHANGES = 200;
const stays = user(1);

/** So many downloads of one user, spread over all ways to the engine. */
async function downloads(stage: Stage): Promise<{ drips: Drip[]; ports: readonly number[] }> {
  const { ports } = await stage.sit(stage.lanes.map((lane) => ({ lane, who: stays })));
  const drips: Drip[] = [];
  for (let index = 0; index < DOWNLOADS; index += 1)
    drips.push(await insist(async () => startDrip(ports[index % ports.length] ?? 0, stage.target.port)));
  return { drips, ports };
}

function broken(stage: Stage, drips: readonly Drip[]): string[] {
  return drips.flatMap((drip, index) => (drip.open() ? [] : [stage.lanes[index % stage.lanes.length]?.name ?? ""]));
}

/** Every inbound differs in something that only opening it again changes. */
function edited(plan: Structure): Structure {
  return Object.fromEntries(
    Object.entries(plan).map(([key, object]) => [
      key,
      object.kind === "inbound" && object.type !== "shadowsocks"
        ? { ...object, config: { ...object.config, tcp_fast_open: true } }
        : object,
    ]),
  );
}

describe.each(engines)("$kind under load", (engine) => {
  // rule nodes.sync.4
  test("200 changes of users break none of 50 downloads, and the last one holds", async () => {
    const stage = await setStage(engine, [stays]);
    try {
      const { drips } = await downloads(stage);
      let before = [stays];
      const began = performance.now();
      for (let change = 0; change < CHANGES; change += 1) {
        const after = change % 2 === 0 ? [...before, user(100 + change)] : before.slice(0, -1);
        await stage.change(before, after);
        before = after;
      }
      const took = Math.round(performance.now() - began);
      const last = user(999);
      await stage.change(before, [...before, last]);
      const [lane] = stage.lanes;
      if (!lane) throw new Error("no lane");
      const { ports } = await stage.sit([{ lane, who: last }]);
      await until("the last user is in", async () => reaches(ports[0] ?? 0, "127.0.0.1", stage.target.port));
      await goesOn(stage, drips.slice(0, stage.lanes.length));
      expect(broken(stage, drips)).toEqual([]);
      console.log(`${engine.kind}: ${CHANGES} changes in ${took} ms`);
    } finally {
      await stage.end();
    }
  });

  // rule nodes.sync.4
  test("an edit of every inbound breaks none either, and is served", async () => {
    const stage = await setStage(engine, [stays]);
    try {
      const { drips, ports } = await downloads(stage);
      const result = await stage.rig.driver.apply({ structure: edited(stage.plan), users: users(stays) });
      expect(sentences(result.warnings)).toEqual(stage.warnings());
      expect(await unreached(stage, ports)).toEqual([]);
      await goesOn(stage, drips.slice(0, stage.lanes.length));
      expect(broken(stage, drips)).toEqual([]);
    } finally {
      await stage.end();
    }
  });
});
