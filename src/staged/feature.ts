// Programs that are staged for agents and nodes: the store, and what is forgotten of it.
import { join } from "node:path";
import type { AnyFeature, Core, Ground, Opened } from "../feature/index.ts";
import { StagedFileRows, StagedPartRows } from "./staged.entity.ts";
import { StagedFiles } from "./staged-files.ts";

interface StagedProvide {
  readonly staged: StagedFiles;
}

function provide({ alone, commits, reads, clock, environment }: Ground): StagedProvide {
  const directory = join(environment.dataDirectory, "staged");
  return { staged: new StagedFiles({ commits, reads, clock, directory, shared: !alone }) };
}

function open(_: Core, { staged }: StagedProvide) {
  return {
    prepare: () => staged.sweep(),
    hourly: () => staged.sweep(),
  } satisfies Opened;
}

export const feature = {
  name: "staged",
  entities: [StagedFileRows, StagedPartRows],
  provide,
  open,
} as const satisfies AnyFeature;
