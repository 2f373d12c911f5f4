// The order of test files: within a group those first that took longest (`long-files.json`), so that at a group's end
// no worker waits for one that began late. Others follow by size.
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import longFiles from "./long-files.json" with { type: "json" };

const SECONDS: Readonly<Record<string, number>> = longFiles;

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of the sequencer, not of an array
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => secondsOf(b) - secondsOf(a)),
    );
  }
}

function secondsOf({ moduleId }: TestSpecification): number {
  return SECONDS[moduleId.slice(moduleId.lastIndexOf("/test/") + 1)] ?? 0;
}
