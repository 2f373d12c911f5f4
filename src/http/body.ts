// Bodies: JSON whose raw bytes are kept for the idempotency hash; an empty one is undefined.
import { Refusal } from "./errors.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

function carriesNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u0000");
  if (value === null || typeof value !== "object") return false;
  return Object.entries(value).some(([key, member]) => key.includes("\u0000") || carriesNul(member));
}

/** Parses a JSON body. Throws a 400 for what is not JSON in UTF-8, and for NUL characters, which neither database stores in text. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    if (text.trim() === "") return undefined;
    value = JSON.parse(text);
  } catch (cause) {
    throw new Refusal("malformed_json", { cause });
  }
  if (text.includes("\\u0000") && carriesNul(value))
    throw new Refusal("validation", { message: "the body must not contain NUL characters" });
  return value;
}
