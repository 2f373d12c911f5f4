// Files that were sent and are on disk or on their way there, as rows say it.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../db/index.ts";

/** A file that is being sent, or that something uses: what it may put on disk is its own from before. */
export interface Upload {
  /** Its id. Uploads and jobs have one sequence of ids: a job has the id of the file that it was started with. */
  readonly job: number;
  readonly account: number;
  /** A main admin's. */
  readonly main: boolean;
  /** What it is for (`Purpose`). Absent in rows of older versions: accounts. */
  readonly purpose?: string;
  /** Bytes that it may put on disk; those that it has there once all of it came. */
  readonly bytes: number;
  /** Unix milliseconds until which its sender is taken for alive; 0 and -1: see `places.ts`. */
  readonly until: number;
  /** SHA-256 of all of it, once it is on disk. */
  readonly sha256?: string;
}

/** All uploads of all panels, in one row: whoever takes a place sees every other. */
export const UploadsRows = entity(
  defineEntity({
    name: "Uploads",
    tableName: "uploads",
    properties: {
      /** 1. */
      id: p.bigint("number").primary().autoincrement(false),
      uploads: p.json<readonly Upload[]>(),
    },
  }),
  { archive: "never" },
);
