// The client's types are those of the description that the panel serves.
import { afterAll, beforeAll, test } from "vitest";
import { clientOperations, type Description } from "../../scripts/client/operations.ts";
import { expectCurrent } from "../generated-file.ts";
import { WholePanel } from "../whole-panel.ts";

const FILE = new URL("../../src/client/operations.ts", import.meta.url);

let panel: WholePanel;
beforeAll(async () => {
  panel = await WholePanel.open("sqlite");
});
afterAll(() => panel.dispose());

test("src/client/operations.ts is current (else: UPDATE_DOCS=1)", async () => {
  const { body } = await panel.call("GET", "/api/openapi.json");
  await expectCurrent(FILE, clientOperations(body as Description));
});
