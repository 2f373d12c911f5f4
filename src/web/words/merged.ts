// One catalogue out of what each feature says of itself.

/** All members of a union at once. */
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (each: infer I) => void ? I : never;

/** What the features that have a part say in it; each key is of one of them. */
export type Merged<Features, Part extends string> = Together<
  {
    readonly [F in keyof Features]: Features[F] extends { readonly [P in Part]: infer Words } ? Words : object;
  }[keyof Features]
>;

export function merged<const Features extends object, Part extends string>(
  features: Features,
  part: Part,
): Merged<Features, Part> {
  const parts = Object.values(features).map((words: Readonly<Record<string, unknown>>) => words[part]);
  // The type says the same of each feature by itself.
  return Object.assign({}, ...parts) as Merged<Features, Part>;
}
