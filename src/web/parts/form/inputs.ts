// What every input of a form is given.
import type { ReactNode } from "react";

/** Order of an input's label, box, help and problem. */
export type InputWrapperOrder = ("label" | "input" | "description" | "error")[];

export interface InputProps<V> {
  readonly id: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly withAsterisk?: boolean;
  readonly inputWrapperOrder?: InputWrapperOrder;
  readonly value: V;
  readonly onChange: (value: V) => void;
  /** What is typed means nothing: why; undefined when it does. */
  readonly onProblem: (problem: string | undefined) => void;
  /** What 0 means, while the input is empty. */
  readonly zero?: string;
}
