// Fault points of what goes out: HTTP answers, requests to webhooks, messages to agents. Half of something is sent by
// handing the kernel half of its bytes.
import { ClientRequest, ServerResponse } from "node:http";
import { WebSocket } from "ws";
import { at, die, due } from "./kill.ts";

const DELIVERY_HEADER = "x-panel-delivery";

type Ending = (this: ServerResponse | ClientRequest, ...parameters: unknown[]) => unknown;
type Sending = (this: WebSocket, ...parameters: unknown[]) => unknown;

function half(chunk: unknown): Uint8Array | undefined {
  if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(chunk);
  return bytes.length < 2 ? undefined : bytes.subarray(0, bytes.length >> 1);
}

export function patchNetwork(): void {
  patchAnswers();
  patchDeliveries();
  patchLinks();
}

function patchAnswers(): void {
  const prototype = ServerResponse.prototype as unknown as { end: Ending };
  const original = prototype.end;
  prototype.end = function (...parameters) {
    at("answer.before");
    const part = half(parameters[0]);
    if (part && due("answer.half")) {
      this.write(part, die);
      return this;
    }
    if (due("answer.after")) this.once("finish", die);
    return original.apply(this, parameters);
  };
}

function patchDeliveries(): void {
  const prototype = ClientRequest.prototype as unknown as { end: Ending };
  const original = prototype.end;
  prototype.end = function (...parameters) {
    if (!this.hasHeader(DELIVERY_HEADER)) return original.apply(this, parameters);
    at("delivery.before");
    const part = half(parameters[0]);
    if (part && due("delivery.half")) {
      this.write(part, die);
      return this;
    }
    if (due("delivery.sent")) this.once("finish", die);
    if (due("delivery.answered")) this.prependOnceListener("response", die);
    return original.apply(this, parameters);
  };
}

function patchLinks(): void {
  const prototype = WebSocket.prototype as unknown as { send: Sending };
  const original = prototype.send;
  prototype.send = function (...parameters) {
    at("link.before");
    const result = original.apply(this, parameters);
    if (due("link.after")) setImmediate(die);
    return result;
  };
}
