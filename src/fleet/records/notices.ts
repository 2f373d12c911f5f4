// Making notices: the panel's own, and those of what an agent says. And keeping them within what stands in a node's
// row.
import type { SaidNotice } from "../../protocol/messages.ts";
import { isReason } from "../../protocol/notices/index.ts";
import { Notice, type NoticeCode, type NoticeValues } from "./notice.schema.ts";

type Item = Pick<Notice, "kind" | "tag">;
const NO_ITEM: Item = { kind: "", tag: "" };

export function notice<C extends NoticeCode>(
  code: C,
  values: NoticeValues[C],
  detail: string,
  item: Item = NO_ITEM,
): Notice {
  return { code, values, detail, ...item };
}

export function otherNotice(detail: string): Notice {
  return notice("other", [], detail);
}

/** What an agent says of itself. One of an older version says sentences alone. */
export interface SaidByAgent {
  readonly warnings: readonly string[];
  readonly notices?: readonly SaidNotice[] | undefined;
}

/** A notice for each warning of an agent: what is no code of an agent with its values is `other`. */
export function saidNotices({ warnings, notices = [] }: SaidByAgent): Notice[] {
  const coded = new Map(notices.filter(({ code, values }) => isReason(code, values)).map((one) => [one.detail, one]));
  return warnings.map((warning) => coded.get(warning) ?? otherNotice(warning));
}

/** Maximum bytes of all warnings of a node together: its row and every list of nodes carry them. */
const WARNING_BYTES = 8192;
/** Maximum bytes of their values and tags together; a warning repeats most of them. */
const CODED_BYTES = 8192;

/** The notices that are kept of a node; the last says how many are not. */
export function keptNotices(notices: readonly Notice[]): readonly Notice[] {
  let said = 0;
  let coded = 0;
  const fit = notices.findIndex(({ detail, values, tag }) => {
    said += Buffer.byteLength(detail);
    coded += Buffer.byteLength([tag, ...values].join(""));
    return said > WARNING_BYTES || coded > CODED_BYTES;
  });
  if (fit < 0) return notices;
  const left = notices.length - fit;
  return [...notices.slice(0, fit), notice("more", [left], `${left} more warnings: see the agent's log`)];
}

/** The notices that a row remembers: a warning that came without a code needs none. */
export function codedNotices(notices: readonly Notice[]): Notice[] {
  return notices.filter(({ code }) => code !== "other");
}

/** A notice for each warning of a row. `remembered`: what its chart keeps of them, which an older panel did not. */
export function noticesOf(warnings: readonly string[], remembered: unknown): Notice[] {
  const coded = Notice.array().safeParse(remembered).data ?? [];
  return warnings.map((warning) => coded.find(({ detail }) => detail === warning) ?? otherNotice(warning));
}
