// What can go wrong in a call between panel and agent, told apart by what the caller should do.
import { RpcErrorCode } from "./messages.ts";

/**
 * The other side answered with an error. Handlers throw it to choose the code and text of their answer. Repeating the
 * same call gives the same answer.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the agent refused this connection because a newer lease holder has spoken to it. */
  get fenced(): boolean {
    return this.code === RpcErrorCode.fenced;
  }
}

/** The connection ended before the answer came: whether the call was carried out is unknown. */
export class PeerClosedError extends Error {
  override readonly name = "PeerClosedError";
}

/** No answer within the time allowed: whether the call was carried out is unknown. */
export class PeerTimeoutError extends Error {
  override readonly name = "PeerTimeoutError";
}

/**
 * The call was not sent: too many are unanswered, too much is unsent, or the message is larger than the protocol
 * allows.
 */
export class PeerBusyError extends Error {
  override readonly name = "PeerBusyError";
}
