// docs/errors.md says of every code and rule what the code and the description say.
import { readFileSync, writeFileSync } from "node:fs";
import { format, type FormatConfig } from "oxfmt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errorTables, type DescribedRefusals } from "../../scripts/catalogue/errors.ts";
import { CLOSER_CODES, ERRORS } from "../../src/http/refusals/code.schema.ts";
import { WholePanel } from "../whole-panel.ts";

const PAGE = new URL("../../docs/errors.md", import.meta.url);
const OPTIONS = JSON.parse(readFileSync(new URL("../../.oxfmtrc.json", import.meta.url), "utf8")) as FormatConfig;
const MARKED = /(<!-- catalogue -->\n)[\s\S]*?(\n<!-- \/catalogue -->)/;

let panel: WholePanel;
beforeAll(async () => {
  panel = await WholePanel.open("sqlite");
});
afterAll(() => panel.dispose());

test("docs/errors.md is current (else: UPDATE_DOCS=1)", async () => {
  const { body } = await panel.call("GET", "/api/openapi.json");
  const text = readFileSync(PAGE, "utf8");
  const tables = errorTables(body as DescribedRefusals);
  const fresh = text.replace(MARKED, (_match, start: string, end: string) => `${start}\n${tables}\n${end}`);
  const { code } = await format("errors.md", fresh, OPTIONS);
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(PAGE, code);
  expect(readFileSync(PAGE, "utf8")).toBe(code);
  for (const name of [...Object.keys(ERRORS), ...Object.keys(CLOSER_CODES)]) expect(code).toContain(`| \`${name}\``);
});
