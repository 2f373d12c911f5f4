// docs/accounts.md: its commands run as one script, in the order of the page, and say what the page says.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WholePanel } from "../whole-panel.ts";
import { hasShell } from "./programs.ts";

const run = promisify(execFile);
const PAGE = fileURLToPath(new URL("../../docs/accounts.md", import.meta.url));
const MONTH = 30 * 86_400;

let panel: WholePanel;
beforeAll(async () => {
  panel = await WholePanel.open("sqlite");
});
afterAll(() => panel.dispose());

test.skipIf(!hasShell)(
  "the page's commands take an account from its order to its end",
  async () => {
    const page = await readFile(PAGE, "utf8");
    const blocks = [...page.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
    expect(blocks.length).toBeGreaterThan(8);
    const env = { ...process.env, PANEL: panel.url, TOKEN: panel.token };
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", blocks.join("\n")], { env });
    const [link, ...said] = stdout.trim().split("\n");
    expect(link).toMatch(/^https?:\/\//);
    expect(said).toEqual([
      String(2 * MONTH),
      String(3 * MONTH),
      String(60 * 2 ** 30),
      "manual",
      "False",
      "True",
      "1250000",
      "version_conflict",
      "there is no template",
      "True",
    ]);
    expect((await panel.call("GET", "/api/v1/users?externalId=customer-7")).body.items).toEqual([]);
  },
  60_000,
);
