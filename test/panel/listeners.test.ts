// Listeners that a feature opens for a time: on every place only proofs answer, and what it leaves open ends with the
// panel.
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyFeature, Core, Listeners } from "../../src/feature/index.ts";
import { compose } from "../../src/panel/compose.ts";
import { entities } from "../../src/panel/entities.ts";
import { FEATURES } from "../../src/panel/features.ts";
import { createTestDatabase } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

let listeners: Listeners;
const prover = {
  name: "prover",
  open: (core: Core) => {
    ({ listeners } = core);
    return {};
  },
} as const satisfies AnyFeature;
const WITH_PROVER = [...FEATURES, prover] as const;
const PANEL = compose<typeof WITH_PROVER>(WITH_PROVER);
const PLACE = { host: "127.0.0.1", port: 0, answers: ["proofs"] } as const;
const PATH = "/.well-known/acme-challenge/token";

let panel: WholePanel;
beforeAll(async () => {
  const database = await createTestDatabase("sqlite", entities);
  panel = await WholePanel.open("sqlite", undefined, undefined, { panel: PANEL, database });
});
afterAll(() => panel.dispose());

const get = async (port: number, path: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
  return [answer.status, await answer.text()];
};
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

// rules certificates.proof.1, certificates.proof.2
test("only proofs answer on it, on the main listener too, until it is closed", async () => {
  const [one, two] = [await listeners.open(PLACE), await listeners.open(PLACE)];
  const takeAway = listeners.proofs.addText("token", "token.key");
  const main = Number(new URL(panel.url).port);
  for (const port of [one.port, two.port, main]) expect(await get(port, PATH)).toEqual([200, "token.key"]);
  expect((await panel.call("GET", "/api/v1/me")).status).toBe(200);
  for (const path of ["/healthz", "/api/v1/me", "/api/openapi.json", "/sub/x"])
    expect([path, await get(one.port, path)]).toEqual([path, [404, ""]]);
  takeAway();
  expect(await get(one.port, PATH)).toEqual([404, ""]);
  await one.close();
  expect([await isOpen(one.port), await isOpen(two.port)]).toEqual([false, true]);
  await panel.restart();
  expect(await isOpen(two.port)).toBe(false);
  await expect(listeners.open({ ...PLACE, port: main })).rejects.toThrow("EADDRINUSE");
});
