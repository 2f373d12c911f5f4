// What one message says: its parts counted, read, and checked by the schema of its method, on whichever thread has the
// time for it.
import type { z } from "zod";
import { MAX_MESSAGE_BYTES, MAX_MESSAGE_PARTS, RpcErrorCode } from "./messages.ts";
import { hasTooManyParts } from "./json-size.ts";
import { readFrame, type Frame, type RequestId } from "./rpc-frame.ts";
import { firstIssue, plainLine } from "./said-text.ts";

interface Method {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** Largest message that calls it, and that answers it; absent: as large as any. */
  readonly paramsBytes?: number;
  readonly resultBytes?: number;
}
export type MethodTable = Readonly<Record<string, Method>>;

/** What the other side may call, and what it is called for. */
export interface Tables {
  readonly handles: MethodTable;
  readonly calls: MethodTable;
}

/** Methods of the calls that wait for an answer, by id. */
export type OpenCalls = ReadonlyMap<number, string>;

export type Reading =
  | { readonly kind: "call"; readonly id: RequestId | undefined; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: number; readonly method: string; readonly result: unknown }
  | { readonly kind: "failure"; readonly id: RequestId | null; readonly code: number; readonly message: string }
  /** An answer to one of our calls that is none. */
  | { readonly kind: "wrong result"; readonly id: number; readonly method: string; readonly message: string }
  /** An answer to a call that waits for none. */
  | { readonly kind: "stray"; readonly id: RequestId; readonly method: "" }
  /** `id`: what it is answered to; undefined: a notification, which has no answer. */
  | {
      readonly kind: "wrong";
      readonly id: RequestId | null | undefined;
      readonly code: number;
      readonly message: string;
    };

/** How much of a method's name is said. */
const NAMED_BYTES = 60;

/** Never throws. */
export function readMessage(bytes: Buffer, { handles, calls }: Tables, open: OpenCalls): Reading {
  if (hasTooManyParts(bytes, MAX_MESSAGE_PARTS))
    return wrong(RpcErrorCode.invalidRequest, "the message has too many parts");
  const frame = readFrame(bytes.toString());
  switch (frame.kind) {
    case "request":
      return readCall(frame, bytes.length, handles);
    case "success":
    case "failure":
      return readAnswer(frame, bytes.length, calls, open);
    case "unparsable":
      return wrong(RpcErrorCode.parse, "the message is not JSON");
    case "invalid":
      return wrong(RpcErrorCode.invalidRequest, "the message is not a JSON-RPC 2.0 request or answer");
  }
}

function wrong(code: number, message: string, id: RequestId | null | undefined = null): Reading {
  return { kind: "wrong", id, code, message };
}

function readCall(
  { id, method, params }: Extract<Frame, { kind: "request" }>,
  bytes: number,
  handles: MethodTable,
): Reading {
  const entry = Object.hasOwn(handles, method) ? handles[method] : undefined;
  if (!entry) {
    const message = `unknown method ${JSON.stringify(plainLine(method, NAMED_BYTES))}`;
    return { kind: "wrong", id, code: RpcErrorCode.unknownMethod, message };
  }
  const most = entry.paramsBytes ?? MAX_MESSAGE_BYTES;
  if (bytes > most)
    return { kind: "wrong", id, code: RpcErrorCode.invalidRequest, message: `${method}: larger than ${most} bytes` };
  const parsed = entry.params.safeParse(params);
  if (parsed.success) return { kind: "call", id, method, params: parsed.data };
  return { kind: "wrong", id, code: RpcErrorCode.invalidParams, message: `${method}: ${firstIssue(parsed.error)}` };
}

function readAnswer(
  frame: Extract<Frame, { kind: "success" | "failure" }>,
  bytes: number,
  calls: MethodTable,
  open: OpenCalls,
): Reading {
  const id = typeof frame.id === "number" ? frame.id : 0;
  const method = open.get(id) ?? "";
  const entry = calls[method];
  if (!entry) return frame.kind === "failure" ? frame : { kind: "stray", id: frame.id, method: "" };
  const most = entry.resultBytes ?? MAX_MESSAGE_BYTES;
  if (bytes > most)
    return { kind: "wrong result", id, method, message: `${method}: the answer is larger than ${most} bytes` };
  if (frame.kind === "failure") return frame;
  const parsed = entry.result.safeParse(frame.result);
  if (parsed.success) return { kind: "result", id, method, result: parsed.data };
  return {
    kind: "wrong result",
    id,
    method,
    message: `${method}: the answer is malformed: ${firstIssue(parsed.error)}`,
  };
}
