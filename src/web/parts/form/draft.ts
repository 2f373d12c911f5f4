// What was typed and not saved, kept for this tab: a reload, a click outside or an ended session loses nothing.
import type { FieldValue, Values } from "./field.ts";

export interface Draft {
  /** Fields that were touched, with what they hold. */
  readonly edited: Values;
  /** The record as it was when the first field was touched. */
  readonly base: Values;
  readonly version: number | undefined;
}

const key = (name: string) => `signalbox.draft.${name}`;

export function readDraft(name: string): Draft | undefined {
  const text = sessionStorage.getItem(key(name));
  if (text === null) return undefined;
  try {
    const { edited, base, version } = JSON.parse(text) as Partial<Record<keyof Draft, unknown>>;
    if (!isValues(edited) || !isValues(base)) return undefined;
    return { edited, base, version: typeof version === "number" ? version : undefined };
  } catch {
    return undefined;
  }
}

/** Undefined takes the draft away. */
export function keepDraft(name: string, draft: Draft | undefined): void {
  if (draft) sessionStorage.setItem(key(name), JSON.stringify(draft));
  else sessionStorage.removeItem(key(name));
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && Object.values(value).every(isFieldValue);
}

function isFieldValue(value: unknown): value is FieldValue {
  const plain = value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return plain || (Array.isArray(value) && value.every((each) => typeof each === "number" || typeof each === "string"));
}
