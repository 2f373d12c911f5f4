// The paths that can be read, as types: what a change marks old must be a path of the API, else it does not compile.
import type { OPERATIONS } from "../../client/operations.ts";

type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];

/** `/users/{id}` as the addresses that it stands for. */
type Filled<P extends string> = P extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : P;

type PathOf<O> = O extends readonly ["GET", infer P extends string] ? Filled<P> : never;

export type ReadPath = PathOf<Operation>;
