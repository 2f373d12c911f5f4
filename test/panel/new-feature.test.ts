// A new feature touches its own folder and one line of a list: the panel that is composed with it has its routes,
// actors, events, settings and rows of documents.
import { expect, describe, test } from "vitest";
import { z } from "zod";
import { defineFact } from "../../src/db/index.ts";
import { compose } from "../../src/panel/compose.ts";
import { entities } from "../../src/panel/entities.ts";
import { FEATURES } from "../../src/panel/features.ts";
import { Catalogue } from "../../src/events/testing.ts";
import { catalogueTable } from "../../src/events/catalogue-table.ts";
import { addTable, createTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { BellRows } from "./toy/bell.entity.ts";
import { feature as bells } from "./toy/feature.ts";

const WITH_BELLS = [...FEATURES, bells] as const;
const PANEL = compose<typeof WITH_BELLS>(WITH_BELLS);

describe.each(dialects)("a panel with one feature more, on %s", (dialect) => {
  test("serves it whole", async () => {
    const database = await createTestDatabase(dialect, entities);
    await addTable(database.url, BellRows);
    const panel = await WholePanel.open(dialect, undefined, undefined, { panel: PANEL, database });
    try {
      expect((await panel.call("PUT", "/api/v1/settings/bell_times", { value: "12" })).status).toBe(400);
      expect((await panel.call("PUT", "/api/v1/settings/bell_times", { value: "3" })).body).toMatchObject({
        key: "bell_times",
        value: "3",
      });
      const rung = await panel.call("POST", "/api/v1/bells/ring", { name: "Tom" });
      expect(rung).toMatchObject({ status: 200, body: { rung: 3, online: 0 } });
      const { id } = rung.body;
      expect((await panel.call("GET", `/api/v1/actors/bell/${id}`)).body).toMatchObject({
        name: "Tom",
        state: "resting",
      });
      expect((await panel.call("GET", "/api/v1/events/log?event=panel.bell_rang")).body.total).toBe(3);
      expect((await panel.call("GET", "/api/v1/events")).body.events).toContainEqual(
        expect.objectContaining({ name: "panel.bell_rang" }),
      );
      expect(JSON.stringify((await panel.call("GET", "/api/openapi.json")).body.paths)).toContain("/bells/ring");
      expect((await panel.call("GET", "/api/v1/machines")).text).toContain('"bell"');
    } finally {
      await panel.dispose();
    }
  });
});

test("its settings and events are rows of the tables from which documents are made", () => {
  expect(Object.keys(PANEL.settings)).toContain("bell_times");
  expect(catalogueTable(new Catalogue(PANEL.events))).toContain(
    "| `panel.bell_rang` | `stats:read` | a bell was rung | name: string, rung: integer |",
  );
  expect(PANEL.entities).toContain(BellRows);
});

test("two features cannot declare one name", () => {
  const twice = [...FEATURES, bells, { ...bells, name: "bells again" }] as const;
  expect(() => compose<typeof twice>(twice)).toThrow("bell_times is declared twice");
  const [rung, again] = [defineFact("bell.rung", z.int()), defineFact("bell.rung", z.string())];
  const twins = [...FEATURES, { name: "bells", echo: { facts: [rung, again] }, open: () => ({}) }] as const;
  expect(() => compose<typeof twins>(twins)).toThrow("the fact bell.rung is defined twice");
});

test("a need that nobody provides, and a setting or an event that nobody declares, do not compile", () => {
  const needing = [
    ...FEATURES,
    { name: "needing", open: (_core: object, _needs: { readonly unheardOf: () => number }) => ({}) },
  ] as const;
  // @ts-expect-error providedByNobody: "unheardOf"
  expect(compose<typeof needing>(needing).events).toBeDefined();
  const { name, entities: tables, settings, events, kinds, open } = bells;
  const mute = [...FEATURES, { name, entities: tables, settings, kinds, open }] as const;
  // @ts-expect-error panel.bell_rang is declared by nobody
  expect(compose<typeof mute>(mute).events).toBeDefined();
  const unset = [...FEATURES, { name, entities: tables, events, kinds, open }] as const;
  // @ts-expect-error bell_times is declared by nobody
  expect(compose<typeof unset>(unset).events).toBeDefined();
});
