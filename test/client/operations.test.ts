// The client's types are those of the description that the panel serves.
import { readFileSync, writeFileSync } from "node:fs";
import { format, type FormatConfig } from "oxfmt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOperations, type Description } from "../../scripts/client/operations.ts";
import { WholePanel } from "../whole-panel.ts";

const FILE = new URL("../../src/client/operations.ts", import.meta.url);
const OPTIONS = JSON.parse(readFileSync(new URL("../../.oxfmtrc.json", import.meta.url), "utf8")) as FormatConfig;

let panel: WholePanel;
beforeAll(async () => {
  panel = await WholePanel.open("sqlite");
});
afterAll(() => panel.dispose());

test("src/client/operations.ts is current (else: UPDATE_DOCS=1)", async () => {
  const { body } = await panel.call("GET", "/api/openapi.json");
  const { code } = await format("operations.ts", clientOperations(body as Description), OPTIONS);
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(FILE, code);
  expect(readFileSync(FILE, "utf8")).toBe(code);
});
