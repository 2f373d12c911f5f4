// Programs that the panel keeps for those who run them, and on a shared database their content.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

/** Agents, engines, and releases of the whole panel. */
export const STAGED_KINDS = ["agent", "engine", "release"] as const;
export type StagedKind = (typeof STAGED_KINDS)[number];

export const StagedFileRows = entity(
  defineEntity({
    name: "StagedFile",
    tableName: "staged_files",
    properties: {
      /** Kind, name, architecture and version (`idOf`). */
      id: p.text().primary(),
      kind: p.text().$type<StagedKind>(),
      name: p.text(),
      /** `amd64`, `arm64`, …; `any` where it runs on all. */
      arch: p.text(),
      version: p.text(),
      size: p.bigint("number"),
      /** The content's digest, in hex, and its name on disk. */
      sha256: p.text(),
      /** As its maker wrote it; empty: it came without one. Whoever adds a file has checked it. */
      signature: p.text(),
      /** Unix seconds. */
      createdAt: p.bigint("number"),
    },
    indexes: [{ properties: ["sha256"] }],
  }),
  { archive: "never" },
);
export type StagedFileRow = RowOf<typeof StagedFileRows>;

/** Content by parts, for panels that lack it. Only where several panels share the database. */
export const StagedPartRows = entity(
  defineEntity({
    name: "StagedPart",
    tableName: "staged_parts",
    properties: {
      /** Digest of the whole, and the part's number. */
      id: p.text().primary(),
      sha256: p.text(),
      /** Unix milliseconds when it was last written: what no file has is kept for a while from then on. */
      writtenAt: p.bigint("number"),
      data: p.blob(),
    },
  }),
  { archive: "never" },
);
