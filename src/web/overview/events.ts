// Raised events as the log lists them, and the record that each is about. Pure.

/** An envelope of `/events/log` (rule events.envelope.1). */
export interface RaisedEvent {
  readonly id: number;
  readonly event: string;
  /** Unix seconds. */
  readonly time: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The page of what an event is about; undefined where it has none, or what it was about is gone. */
export function subjectOf({ event, data }: Pick<RaisedEvent, "event" | "data">): string | undefined {
  if (event.endsWith(".deleted")) return undefined;
  if (typeof data["userId"] === "number") return `/users/${data["userId"]}`;
  return typeof data["nodeId"] === "number" ? `/nodes/${data["nodeId"]}` : undefined;
}

/** What it is about, by name. */
export function nameOf({ data }: Pick<RaisedEvent, "data">): string {
  const name = data["name"] ?? data["username"] ?? "";
  return typeof name === "string" ? name : "";
}
