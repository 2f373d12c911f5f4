// Why a link ended or could not be opened: the cause for programs and pages, and the sentence for people.
import type { CauseCode, CauseValues, NodeCause } from "../../../machines/node-cause.ts";
import { RpcErrorCode } from "../../protocol/messages.ts";
import type { PeerClosed } from "../../protocol/peer-contract.ts";
import { RpcError } from "../../protocol/rpc-error.ts";
import { plainLine } from "../../protocol/said-text.ts";

/** Maximum bytes of each text among the values: an agent or the network may have sent it. */
const VALUE_BYTES = 300;

export class LinkFailure extends Error {
  override readonly name: string = "LinkFailure";
  readonly why: NodeCause;

  constructor(why: NodeCause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

export function cause<C extends CauseCode>(code: C, ...values: CauseValues[C]): NodeCause {
  const plain = values.map((value) => (typeof value === "string" ? plainLine(value, VALUE_BYTES) : value));
  // Texts stay texts, so the values are still those of the code.
  return { code, values: plain } as unknown as NodeCause;
}

/** The cause of a failed link or request. A failure without a code keeps its own text. */
export function causeOf(failure: unknown): NodeCause {
  if (failure instanceof LinkFailure) return failure.why;
  if (failure instanceof RpcError && failure.code === RpcErrorCode.engine) return cause("refused");
  return cause("failed", messageOf(failure));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The agent, or something on the way, closed the connection. */
export function ended({ code, reason }: PeerClosed): LinkFailure {
  const why = `${code}${reason ? `: ${reason}` : ""}`;
  return new LinkFailure(cause("ended", why), `the connection ended (${why})`);
}

export function notTaken(error: unknown): LinkFailure {
  const why = messageOf(error);
  return new LinkFailure(cause("not_taken", why), `the configuration was not taken: ${why}`, { cause: error });
}

/** What the network said of a dial, by its code. */
export function dialFailure(at: string, error: Error): LinkFailure {
  return new LinkFailure(dialCause(at, error), `${at} cannot be reached: ${error.message}`, { cause: error });
}

function dialCause(at: string, error: Error): NodeCause {
  const { code = "", syscall = "", hostname = "" } = error as NodeJS.ErrnoException & { readonly hostname?: string };
  if (syscall === "getaddrinfo") return cause("unknown_name", hostname);
  switch (code) {
    case "ECONNREFUSED":
      return cause("connection_refused", at);
    case "ETIMEDOUT":
      return cause("timed_out", at);
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return cause("no_route", at);
    case "ECONNRESET":
    case "EPIPE":
      return cause("connection_cut", at);
    default:
      return cause("unreachable", at, error.message || code);
  }
}
