// docs/errors.md says of every code and rule what the code and the description say.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errorTables, type DescribedRefusals } from "../../scripts/catalogue/errors.ts";
import { CLOSER_CODES, ERRORS } from "../../src/http/refusals/code.schema.ts";
import { expectCurrent } from "../generated-file.ts";
import { WholePanel } from "../whole-panel.ts";

const PAGE = new URL("../../docs/errors.md", import.meta.url);
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
  const code = await expectCurrent(PAGE, fresh);
  for (const name of [...Object.keys(ERRORS), ...Object.keys(CLOSER_CODES)]) expect(code).toContain(`| \`${name}\``);
});
