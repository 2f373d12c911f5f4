// Notices of the agent: what is not served or served with less, the item that it is about, and the sentence of both.
import {
  type AgentNoticeCode,
  type AgentNoticeValues,
  reason,
  type Reason,
  sentence,
} from "../protocol/notices/index.ts";
import { MAX_NOTICE_VALUES, type SaidNotice } from "../protocol/messages.ts";

export type AgentNotice = SaidNotice;

/** An item of the plan, or a part of it. `label`: how sentences name it. */
export interface Place extends Pick<AgentNotice, "kind" | "tag"> {
  readonly label: string;
}

export const NOWHERE: Place = { kind: "", tag: "", label: "" };

export function itemPlace(kind: "inbound" | "outbound", tag: string): Place {
  return { kind, tag, label: `${kind} ${tag}` };
}

/** A part of the route or core block. `tag`: its path; without one, the whole block. */
export function blockPlace(kind: "route" | "core", tag = "", label: string = kind): Place {
  return { kind, tag, label };
}

export function rulePlace(index: number): Place {
  return blockPlace("route", `rules.${index}`, `route rule ${index + 1}`);
}

/** `outcome`: what becomes of the item. */
export function noticeOf(place: Place, why: Reason, outcome = ""): AgentNotice {
  const { kind, tag, label } = place;
  const detail = `${label === "" ? "" : `${label}: `}${sentence(why)}${outcome === "" ? "" : `; ${outcome}`}`;
  return { ...why, values: [...why.values], kind, tag, detail };
}

/** About no item. */
export function hostNotice<C extends AgentNoticeCode>(code: C, ...values: AgentNoticeValues[C]): AgentNotice {
  return noticeOf(NOWHERE, reason(code, ...values));
}

/** Maximum bytes of all notices in one message: it carries their sentences and their codes side by side. */
const TOLD_BYTES = 160 * 1024;

/** As many notices as have room, as they are sent: the sentences, which older panels read, and the codes. */
export function told(
  notices: readonly AgentNotice[],
  room = TOLD_BYTES,
): { warnings: string[]; notices: AgentNotice[] } {
  let bytes = 0;
  const over = notices.findIndex((one) => (bytes += Buffer.byteLength(JSON.stringify([one.detail, one]))) > room);
  const fit = over < 0 ? notices : notices.slice(0, over);
  return { warnings: fit.map(({ detail }) => detail), notices: [...fit] };
}

/** The first sentences, for the message of a failure. */
export function firstDetails(notices: readonly AgentNotice[]): string {
  return notices
    .slice(0, 5)
    .map(({ detail }) => detail)
    .join("; ");
}

/** Maximum characters of a notice's sentence: an engine's own words may fill pages. */
const TEXT_LENGTH = 900;
const VALUE_LENGTH = 200;

export function bounded({ detail, values, tag, ...notice }: AgentNotice): AgentNotice {
  return {
    ...notice,
    tag: shortened(tag, VALUE_LENGTH),
    values: values
      .slice(0, MAX_NOTICE_VALUES)
      .map((value) => (typeof value === "string" ? shortened(value, VALUE_LENGTH) : value)),
    detail: shortened(detail, TEXT_LENGTH),
  };
}

export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Thrown while an item is compiled: the item is left out for this reason. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: Reason;

  constructor(why: Reason, options?: ErrorOptions) {
    super(sentence(why), options);
    this.reason = why;
  }
}

/** Compiles one item; what refuses it becomes a notice and the item undefined. */
export type Attempt = <T>(place: Place, work: () => T) => T | undefined;

export function attemptInto(notices: AgentNotice[]): Attempt {
  return (place, work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      notices.push(noticeOf(place, error.reason));
      return undefined;
    }
  };
}
