// An agent that dies between taking a user off the engine and cutting what he had open: the next one cuts it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UserJournal } from "../../../src/agent/engines/process/state/user-journal.ts";
import { installedEngines } from "./installed.ts";
import { contextOf, until, user, users } from "./rig.ts";
import { goesOn, setStage } from "./stage.ts";

const engines = (await installedEngines()).filter(({ info }) => info.can.closeSessions);

describe("a user who was taken off and not cut", () => {
  test.concurrent.each(engines)("$kind", async (engine) => {
    const [one, two] = [user(1), user(2)];
    const stage = await setStage(engine, [one, two], ({ name }) =>
      ["vless tcp", "trojan tls", "hysteria2"].includes(name),
    );
    const next = engine.factory.create(engine.info, contextOf(stage.rig.directory, "allow"));
    try {
      const mine = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" }))),
      );
      const others = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" }))),
      );
      await stage.rig.driver.close("detach");
      // The journal as it stands after the engine has agreed.
      for (const file of readdirSync(stage.rig.directory).filter((name) => name.startsWith("users.")))
        UserJournal.open(join(stage.rig.directory, file)).commit(
          stage.lanes.map((_, index) => [`1.${index + 1}`, undefined]),
        );
      expect(await next.adopt()).toBe(true);
      expect(mine.every((drip) => drip.open())).toBe(true);
      await next.apply({ structure: stage.plan, users: users(two) });
      let seen = mine.map(() => -1);
      await until(
        "nothing of his arrives any more",
        async () => {
          const before = seen;
          seen = mine.map((drip) => drip.bytes());
          await new Promise((resolve) => setTimeout(resolve, 300));
          return mine.every((drip, index) => drip.bytes() === before[index] && drip.bytes() === seen[index]);
        },
        5000,
      );
      await goesOn(stage, others);
    } finally {
      await next.close("stop");
      await stage.end();
    }
  });
});
