// Views of a list as they are kept: text that is read with care. Pure.

export interface View {
  readonly name: string;
  /** Search, filters and order, as the list's address writes them. */
  readonly address: string;
  /** The columns that were chosen away from the usual ones. */
  readonly columns: Readonly<Record<string, boolean>>;
}

/** What is kept of what was read; whatever is no view is left out. Pure. */
export function readViews(text: string | null): readonly View[] {
  if (text === null) return [];
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    // Written by something else: there are no views.
    return [];
  }
}

function isView(value: unknown): value is View {
  if (
    typeof value !== "object" ||
    value === null ||
    !("name" in value) ||
    !("address" in value) ||
    !("columns" in value)
  )
    return false;
  const { name, address, columns } = value;
  const chosen =
    typeof columns === "object" &&
    columns !== null &&
    Object.values(columns).every((each) => typeof each === "boolean");
  return typeof name === "string" && typeof address === "string" && chosen;
}
