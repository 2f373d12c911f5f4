// Tables of errands: what an actor's errands keep beside its row, and the lines of their log.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

/** One row for each actor that has log lines or secrets. Whoever writes either holds it. */
export const ErrandRows = entity(
  defineEntity({
    name: "Errand",
    tableName: "errands",
    properties: {
      /** `kind:actorId`. */
      id: p.text().primary(),
      kind: p.text(),
      actorId: p.bigint("number"),
      /** Lines written so far; the `seq` of the newest. */
      lines: p.bigint("number"),
      /** Boot id of the process that has the actor's secrets in its memory; null where there are none. */
      home: p.text().nullable(),
      /** Names them there. */
      ticket: p.bigint("number").nullable(),
    },
  }),
);
export type ErrandRow = RowOf<typeof ErrandRows>;

export const ErrandLineRows = entity(
  defineEntity({
    name: "ErrandLine",
    tableName: "errand_lines",
    properties: {
      /** `kind:actorId:seq`. */
      id: p.text().primary(),
      kind: p.text(),
      actorId: p.bigint("number"),
      /** From 1, gapless for each actor; the oldest are forgotten. */
      seq: p.bigint("number"),
      /** Unix milliseconds. */
      at: p.bigint("number"),
      /** `info`, `warning` or `error`. */
      level: p.text(),
      /** What machines read, with its values (`args`). `output`: the line is what a remote program said, in `text`. */
      code: p.text(),
      args: p.json<readonly (string | number)[]>(),
      text: p.text(),
    },
    indexes: [{ properties: ["kind", "actorId", "seq"] }],
  }),
  { owned: true },
);
export type ErrandLineRow = RowOf<typeof ErrandLineRows>;

export const errandId = (kind: string, actorId: number) => `${kind}:${actorId}`;
export const errandLineId = (kind: string, actorId: number, seq: number) => `${kind}:${actorId}:${seq}`;
