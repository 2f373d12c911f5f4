// The frames of JSON-RPC 2.0 as they travel: one text message each, no batches.
import { z } from "zod";
import { said } from "./said-text.ts";

/** Most of what the other side may say of a failure. */
const MESSAGE_BYTES = 1000;

const RequestId = z.union([z.int(), z.string().max(100)]);

const RequestFrame = z.object({
  jsonrpc: z.literal("2.0"),
  method: z.string().max(100),
  id: RequestId.optional(),
  params: z.unknown().optional(),
});
const FailureFrame = z.object({
  jsonrpc: z.literal("2.0"),
  id: RequestId.nullable(),
  error: z.object({ code: z.int(), message: said(MESSAGE_BYTES) }),
});
const SuccessFrame = z.object({ jsonrpc: z.literal("2.0"), id: RequestId, result: z.unknown() });

export type RequestId = z.infer<typeof RequestId>;
export type Frame =
  | { kind: "request"; id: RequestId | undefined; method: string; params: unknown }
  | { kind: "success"; id: RequestId; result: unknown }
  | { kind: "failure"; id: RequestId | null; code: number; message: string }
  | { kind: "unparsable" }
  | { kind: "invalid" };

/** Reads one message. Never throws: text that is no JSON is `unparsable`, JSON that is no frame is `invalid`. */
export function readFrame(text: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "unparsable" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { kind: "invalid" };
  if (Object.hasOwn(value, "method")) {
    const request = RequestFrame.safeParse(value);
    if (!request.success) return { kind: "invalid" };
    return { kind: "request", id: request.data.id, method: request.data.method, params: request.data.params };
  }
  if (Object.hasOwn(value, "error")) {
    const failure = FailureFrame.safeParse(value);
    return failure.success ? { kind: "failure", id: failure.data.id, ...failure.data.error } : { kind: "invalid" };
  }
  if (!Object.hasOwn(value, "result")) return { kind: "invalid" };
  const success = SuccessFrame.safeParse(value);
  return success.success ? { kind: "success", id: success.data.id, result: success.data.result } : { kind: "invalid" };
}

export function requestFrame(id: number | undefined, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

export function successFrame(id: RequestId, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: result ?? null });
}

export function failureFrame(id: RequestId | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
