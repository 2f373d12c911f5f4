// The first commands of the documents, pasted into a shell beside a panel that was set up as its page proposes: plain
// HTTP on loopback.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPrograms } from "../programs.ts";
import { SETUP_TOKEN, startPanel, type E2ePanel } from "./panel.ts";
import { OWNER } from "./set-up.ts";

const hasCurl = hasPrograms("examples for a shell", "curl");

let panel: E2ePanel;
let directory: string;
beforeAll(async () => {
  if (!hasCurl) return;
  panel = await startPanel({ engine: "none" });
  directory = mkdtempSync(join(tmpdir(), "signalbox-curls-"));
});
afterAll(async () => {
  if (!hasCurl) return;
  rmSync(directory, { recursive: true, force: true });
  await panel.dispose();
});

/** The commands of a document's first block under a heading, with this panel's address and password in them. */
function commandsUnder(document: string, heading: string): string[] {
  const text = readFileSync(document, "utf8");
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(text.slice(text.indexOf(heading))) ?? [];
  return linesFor(panel, block).map((line) =>
    line.replace('"password":"correct horse"', `"password":"${OWNER.password}"`),
  );
}

function linesFor({ url }: E2ePanel, block: string): string[] {
  return block
    .replaceAll("http://127.0.0.1:8080", url)
    .split("\n")
    .filter((line) => line !== "");
}

/** What a variable that the reader fills in takes from the answer before it. */
const FILLED: Readonly<Record<string, (answer: string) => string>> = {
  SETUP: () => SETUP_TOKEN,
  TOKEN: (answer) => String((JSON.parse(answer) as { token: unknown }).token),
  SUB: (answer) => String((JSON.parse(answer) as { items: { subUrl: unknown }[] }).items[0]?.subUrl),
};

/** Line by line in one folder. Each command's answer, the refusals as what curl says. */
function paste(lines: readonly string[]): string[] {
  const variables: Record<string, string> = {};
  const answers: string[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^(\w+)=(\S+)/.exec(line) ?? [];
    const filled = FILLED[name];
    if (filled) variables[name] = filled(answers.at(-1) ?? "");
    else if (name !== "") variables[name] = value;
    else {
      const command = line.replace(/^curl /, "curl --silent --show-error --fail ");
      answers.push(
        execFileSync("sh", ["-c", command], {
          cwd: directory,
          env: { ...process.env, ...variables },
          encoding: "utf8",
          // The API's description alone is more than Node keeps of an answer by itself.
          maxBuffer: 16 * 1024 * 1024,
        }),
      );
    }
  }
  return answers;
}

describe.skipIf(!hasCurl)("examples for a shell", () => {
  test.each([
    ["docs/api.md", "# The HTTP API"],
    ["docs/api.md", "## A token, and a first request"],
    ["docs/access.md", "## Sessions"],
  ])("%s, %s", (document, heading) => {
    const lines = commandsUnder(document, heading);
    const curls = lines.filter((line) => line.startsWith("curl "));
    expect(curls.length).toBeGreaterThan(1);
    expect(paste(lines)).toHaveLength(curls.length);
  });

  test("docs/quickstart.md, from setup to a link that works", async () => {
    const text = readFileSync("docs/quickstart.md", "utf8");
    const blocks = [...text.slice(text.indexOf("## Set up")).matchAll(/```sh\n([\s\S]*?)```/g)];
    const pending = await startPanel({ engine: "none", pending: true });
    try {
      const answers = paste(blocks.flatMap(([, block = ""]) => linesFor(pending, block)));
      expect(JSON.parse(answers.at(-1) ?? "")).toMatchObject({ items: expect.any(Array), more: false });
      expect(answers.join("\n")).toContain("user.created");
    } finally {
      await pending.dispose();
    }
  });
});
