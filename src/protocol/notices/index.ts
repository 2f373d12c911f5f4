// What an agent does not serve, or serves with less: a closed list of codes with their values. The agent makes them
// where it finds out; the panel holds what a node sends against the same list.
import type { Declared, Shape, ValuesOf } from "./catalogue.ts";
import { HOST } from "./host.ts";
import { ITEMS } from "./items.ts";
import { LIMITS } from "./limits.ts";

const CODES = { ...ITEMS, ...LIMITS, ...HOST };

export type AgentNoticeCode = keyof typeof CODES;
export type AgentNoticeValues = {
  readonly [C in AgentNoticeCode]: (typeof CODES)[C] extends Declared<infer S> ? ValuesOf<S> : never;
};

/** A code with its values: why something is not served, without the item that it is about. */
export interface Reason {
  readonly code: AgentNoticeCode;
  readonly values: readonly (string | number)[];
}

export function reason<C extends AgentNoticeCode>(code: C, ...values: AgentNoticeValues[C]): Reason {
  return { code, values };
}

/** The sentence of a reason, in English. */
export function sentence({ code, values }: Reason): string {
  // The list of codes holds values and sentence of a code together, and `reason` asks for them.
  const tell = CODES[code].tell as (...given: readonly (string | number)[]) => string;
  return tell(...values);
}

/** Whether these are a code of an agent and values that belong to it. */
export function isReason(code: string, values: readonly (string | number)[]): boolean {
  if (!Object.hasOwn(CODES, code)) return false;
  const shape: readonly Shape[] = CODES[code as AgentNoticeCode].shape;
  const open = shape.at(-1) === "texts";
  const fixed = open ? shape.length - 1 : shape.length;
  if (open ? values.length < fixed : values.length !== fixed) return false;
  return values.every((value, index) => typeof value === (shape[index] === "count" ? "number" : "string"));
}

/** Whether what a notice of this code names is not served at all, rather than with less. */
export function isLeftOut(code: string): boolean {
  return Object.hasOwn(ITEMS, code);
}

/** Words of a language for every code; a code without words does not compile. */
export type AgentNoticeWords = {
  readonly [C in AgentNoticeCode]: AgentNoticeValues[C] extends []
    ? string
    : (...values: AgentNoticeValues[C]) => string;
};

/** The sentences, as words of English: with the quotation marks of a page. */
export const ENGLISH = Object.fromEntries(
  Object.entries(CODES).map(([code, declared]) => {
    // As in `sentence`: whoever asks for words of a code gives its values.
    const tell = declared.tell as (...given: readonly (string | number)[]) => string;
    const words = (...given: readonly (string | number)[]): string => tell(...given).replaceAll(/"([^"]*)"/g, "“$1”");
    return [code, declared.shape.length === 0 ? words() : words];
  }),
) as unknown as AgentNoticeWords;
export { roughSpan } from "./rough-span.ts";
