// What a node does not serve although it is connected, for programs and pages: notices beside the warnings, which are
// the same as sentences.
import { z } from "zod";
import type { NodeNotice } from "../../machines/node-cause.ts";

/** What belongs to each code. `other`: a warning that came without one, such as an agent's. */
export interface NoticeValues {
  /** Paths of the item that is left out since they could reach the host itself. */
  reaches_host: string[];
  relapsing: [];
  ledgers: [most: number];
  more: [warnings: number];
  usage_refused: [];
  other: [];
}
export type NoticeCode = keyof NoticeValues;

/** `detail` is the warning. `kind` and `tag` name the item that it is about; empty where it is about none. */
export const Notice = z.object({
  code: z.string(),
  values: z.array(z.union([z.string(), z.number()])),
  detail: z.string(),
  kind: z.enum(["inbound", "outbound", "route", "core", ""]),
  tag: z.string(),
}) satisfies z.ZodType<NodeNotice>;
export type Notice = NodeNotice;

/**
 * Words of a language for every code but `other`, of which the warning itself is shown; a notice without words does not
 * compile.
 */
export type NoticeWords = {
  readonly [C in Exclude<NoticeCode, "other">]: NoticeValues[C] extends []
    ? string
    : (...values: NoticeValues[C]) => string;
};
