// What a parser of hostile bytes answers: it is complete, needs more bytes, or refuses. Shared by every protocol of the
// embedded engine.

/**
 * `length`: bytes of the input that `value` took. A parser never keeps a view on its input longer than the caller does.
 */
export type Parsed<T> =
  | { state: "done"; value: T; length: number }
  | { state: "more" }
  | { state: "refused"; reason: string };

export const MORE = { state: "more" } as const;

export function refused(reason: string): { state: "refused"; reason: string } {
  return { state: "refused", reason };
}

export function done<T>(value: T, length: number): { state: "done"; value: T; length: number } {
  return { state: "done", value, length };
}
