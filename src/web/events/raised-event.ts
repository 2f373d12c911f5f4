// Raised events as the log and the feed give them, and the record that each is about. Pure.
import type { PanelCause } from "../words/translate.ts";

/** An envelope of `/events/log` (rule events.envelope.1). */
export interface RaisedEvent {
  readonly id: number;
  readonly event: string;
  /** Unix seconds. */
  readonly time: number;
  readonly data: Readonly<Record<string, unknown>>;
}

type About = Pick<RaisedEvent, "event" | "data">;

/** The page of what an event is about; undefined where it has none, or what it was about is gone. */
export function subjectOf({ event, data }: About): string | undefined {
  if (event.endsWith(".deleted")) return undefined;
  if (typeof data["userId"] === "number") return `/users/${data["userId"]}`;
  return typeof data["nodeId"] === "number" ? `/nodes/${data["nodeId"]}` : undefined;
}

/** What it is about, by name. */
export function nameOf({ data }: Pick<RaisedEvent, "data">): string {
  const name = data["name"] ?? data["username"] ?? "";
  return typeof name === "string" ? name : "";
}

const ID_OF_FAMILY: Readonly<Record<string, string>> = { user: "userId", node: "nodeId", admin: "adminId" };

/** `user:7`, as the log's `entity` names the record; undefined where an event is about none, or about many. */
export function entityOf({ event, data }: About): string | undefined {
  const family = event.slice(0, event.indexOf("."));
  const member = ID_OF_FAMILY[family];
  const id = member === undefined || event === "user.bulk" || event === "user.generated" ? undefined : data[member];
  return typeof id === "number" ? `${family}:${id}` : undefined;
}

export type FieldKind = "bytes" | "time" | "plain";

export interface EventField {
  readonly name: string;
  readonly value: string | number | boolean | readonly string[];
  readonly kind: FieldKind;
}

const BYTES = new Set(["used", "volume", "bytes", "size", "total"]);
const TIMES = new Set(["expiry", "until", "notAfter", "expiresAt", "verifiedAt", "deadline"]);
/** Said by the subject, or by the sentence of why. */
const SAID = new Set(["name", "username", "userId", "nodeId", "cause", "message", "notices"]);

/** The members of an event's data beside those that its line says; empty ones are left out. */
export function fieldsOf({ data }: Pick<RaisedEvent, "data">): readonly EventField[] {
  return Object.entries(data).flatMap(([name, value]): EventField[] => {
    if (SAID.has(name) || value === null || value === "" || value === 0) return [];
    const kind = typeof value !== "number" ? "plain" : BYTES.has(name) ? "bytes" : TIMES.has(name) ? "time" : "plain";
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return [{ name, value, kind }];
    if (Array.isArray(value)) return value.length === 0 ? [] : [{ name, value: value.map(String), kind }];
    return [{ name, value: JSON.stringify(value), kind }];
  });
}

/** Why it happened, as the event says it: a code with values, and the panel's sentence. */
export function causeOf({ data }: Pick<RaisedEvent, "data">): {
  readonly cause: PanelCause | undefined;
  readonly said: string;
} {
  const { cause, message } = data;
  const coded =
    typeof cause === "object" && cause !== null && "code" in cause && "values" in cause && Array.isArray(cause.values);
  return {
    cause: coded ? (cause as PanelCause) : undefined,
    said: typeof message === "string" ? message : "",
  };
}
