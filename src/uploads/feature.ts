// Files that are sent to the panel: a place before the first byte, the bytes on disk, and what is forgotten of them.
import type { AnyFeature, Core, Ground, Opened } from "../feature/index.ts";
import { Spool } from "./spool.ts";
import { UploadsRows } from "./upload.entity.ts";
import { Uploads } from "./uploads.ts";

interface UploadsProvide {
  readonly uploads: Uploads;
}

function provide({ commits, reads, clock, environment, log }: Ground): UploadsProvide {
  const spool = new Spool(environment.dataDirectory);
  const onError = (error: unknown) => log.warn({ err: error }, "a file that was sent is looked after again");
  return { uploads: new Uploads({ commits, reads, clock, spool, onError }) };
}

function open({ alone, undo }: Core, { uploads }: UploadsProvide) {
  return {
    async prepare() {
      if (alone) await uploads.giveUpAll();
      await uploads.sweepFiles();
    },
    start() {
      undo.push(uploads.watch());
    },
  } satisfies Opened;
}

export const feature = {
  name: "uploads",
  entities: [UploadsRows],
  provide,
  open,
} as const satisfies AnyFeature;
