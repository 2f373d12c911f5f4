// All tests as CI runs them. A file of which something failed starts again once, as a whole and with everything it sets
// up, when all others are done; the end of the run names it, with what it said first. A single test cannot start again:
// what it shares with its neighbours is as the first try left it.
import { writeFileSync } from "node:fs";
import { startVitest, type TestModule } from "vitest/node";
import { z } from "zod";
import Skipped from "./skipped.ts";

/** A seed or a kill that fails is a bug. */
const NO_SECOND_TRY = new Set(["campaigns"]);
/** Where more files fail, it was no accident. */
const MOST = 8;
const LINES = 12;

interface Complaint {
  /** Name of a test, or of the file where it could not be set up. */
  readonly name: string;
  readonly message: string;
  readonly place: string | undefined;
}

/** What the runner adds to an error that no test awaited. */
const StrayError = z.object({
  VITEST_TEST_PATH: z.string().optional(),
  message: z.string().catch("an error without words"),
  stack: z.string().optional().catch(undefined),
});

interface Outcome {
  readonly passed: number;
  readonly complaints: readonly Complaint[];
}

const [countsFile] = process.argv.slice(2);
const first = await run([]);
const failed = [...first.files].filter(([, { complaints }]) => complaints.length > 0).map(([file]) => file);
const again = failed.filter((file) => first.groups.has(file) && !NO_SECOND_TRY.has(first.groups.get(file) ?? ""));
const second = again.length > 0 && again.length <= MOST ? await run(again) : undefined;

const mended = again.filter((file) => second?.files.get(file)?.complaints.length === 0);
if (mended.length > 0)
  console.log(
    ["\npassed at a second try only:", ...mended.flatMap((file) => told(file, first.files.get(file)))].join("\n"),
  );
const last = new Map([...first.files, ...(second?.files ?? [])]);
const lost = [...last].filter(([, { complaints }]) => complaints.length > 0);
if (lost.length > 0) console.log(["\nfailed:", ...lost.flatMap(([file, outcome]) => told(file, outcome))].join("\n"));

const sum = (of: (outcome: Outcome) => number) => [...last.values()].reduce((total, outcome) => total + of(outcome), 0);
const counts = `${sum(({ passed }) => passed)} passed, ${sum(({ complaints }) => complaints.length)} failed`;
if (countsFile === undefined) console.log(`\n${counts}`);
else writeFileSync(countsFile, `${counts}\n`);
// Without this the process fails also for what only the first try met.
process.exit(lost.length > 0 || last.size === 0 ? 1 : 0);

/** Runs these files, or all; by path what came of each, and its group. */
async function run(files: readonly string[]): Promise<{ files: Map<string, Outcome>; groups: Map<string, string> }> {
  const skipped = new Skipped();
  const reporters = ["default", skipped, "./test/times.ts"];
  const vitest = await startVitest([...files], { run: true, watch: false, reporters });
  const modules = vitest.state.getTestModules();
  const found = new Map(modules.map((module) => [pathOf(module.moduleId), outcomeOf(module)]));
  for (const file of skipped.unexplained) {
    const { passed, complaints } = found.get(pathOf(`/${file}`)) ?? { passed: 0, complaints: [] };
    const complaint = { name: "what it skips", message: "it does not say why (test/skipped.ts)", place: undefined };
    found.set(pathOf(`/${file}`), { passed, complaints: [...complaints, complaint] });
  }
  // An error that nobody awaited is a failure of the file that ran meanwhile.
  for (const error of vitest.state.getUnhandledErrors()) {
    const { VITEST_TEST_PATH: path = "", message, stack } = StrayError.parse(error);
    const { passed, complaints } = found.get(pathOf(path)) ?? { passed: 0, complaints: [] };
    found.set(pathOf(path), {
      passed,
      complaints: [...complaints, { name: "outside of its tests", message, place: placeIn(stack) }],
    });
  }
  await vitest.close();
  return { files: found, groups: new Map(modules.map((module) => [pathOf(module.moduleId), module.project.name])) };
}

function pathOf(moduleId: string): string {
  return moduleId.slice(moduleId.lastIndexOf("/test/") + 1);
}

function placeIn(stack: string | undefined): string | undefined {
  return stack
    ?.split("\n")
    .find((line) => line.includes("/test/"))
    ?.trim();
}

function outcomeOf(module: TestModule): Outcome {
  const complaints: Complaint[] = [];
  const complain = (name: string, met: readonly { message: string; stack?: string | undefined }[]) => {
    for (const { message, stack } of met) complaints.push({ name, message, place: placeIn(stack) });
  };
  for (const test of module.children.allTests("failed"))
    complain(test.fullName, test.result().errors?.slice(0, 1) ?? []);
  for (const suite of module.children.allSuites()) complain(suite.fullName, suite.errors());
  complain("the file", module.errors());
  if (module.state() === "failed" && complaints.length === 0)
    complaints.push({ name: "the file", message: "failed", place: undefined });
  return { passed: [...module.children.allTests("passed")].length, complaints };
}

function told(file: string, outcome: Outcome | undefined): string[] {
  return (outcome?.complaints ?? []).flatMap(({ name, message, place }) => [
    `  ${file} > ${name}`,
    ...message
      .split("\n")
      .slice(0, LINES)
      .map((line) => `    ${line}`),
    ...(place === undefined ? [] : [`    ${place}`]),
  ]);
}
