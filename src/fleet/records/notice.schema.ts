// What a node does not serve although it is connected, for programs and pages: notices beside the warnings, which are
// the same as sentences.
import { z } from "zod";
import type { NodeNotice } from "../../../machines/node-cause.ts";
import type { AgentNoticeValues } from "../../protocol/notices/index.ts";

/** What belongs to each code of the panel's own. `other`: a warning that came without a code. */
interface OwnNoticeValues {
  /** Paths of the item that is left out since they could reach the host itself. */
  reaches_host: string[];
  /** The inbound serves, and no client elsewhere comes there. */
  on_loopback: [];
  relapsing: [];
  clock_ahead: [seconds: number];
  clock_behind: [seconds: number];
  ledgers: [most: number];
  more: [warnings: number];
  usage_refused: [];
  /** The key of the object that the agent does not understand. */
  agent_too_old: [key: string];
  other: [];
}
/** And to those of agents. */
export type NoticeValues = OwnNoticeValues & AgentNoticeValues;
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
/** As answers show it. */
export const ShownNotice = Notice.meta({ id: "NodeNotice" });

/**
 * Words of a language for every code but `other`, of which the warning itself is shown; a notice without words does not
 * compile.
 */
export type NoticeWords = {
  readonly [C in Exclude<NoticeCode, "other">]: NoticeValues[C] extends []
    ? string
    : (...values: NoticeValues[C]) => string;
};
