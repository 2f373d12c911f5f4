// Optional fields as bodies carry them: absent, never undefined.

/** The fields of `T` that are there, none of them undefined. */
export type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** A copy without the fields that are undefined. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
