// Why a node does not serve, and what a serving one leaves out: as codes with values, for programs and for pages in the
// reader's language.

/**
 * What belongs to each cause for which a node does not serve. Programs and pages go by the code and these values;
 * `message` is the sentence for people.
 */
export interface CauseValues {
  connection_refused: [address: string];
  timed_out: [address: string];
  no_route: [address: string];
  unknown_name: [host: string];
  connection_cut: [address: string];
  /** Something answers that is no agent, with a status of HTTP. */
  other_program: [address: string, status: number];
  /** A failed dial, as readers are told of it who may not know what answers on which port. */
  no_agent: [];
  /** Another failure of the dial, in the network's words. */
  unreachable: [address: string, why: string];
  no_certificate: [];
  no_greeting: [seconds: number];
  late_configuration: [];
  not_taken: [why: string];
  silent: [heartbeats: number];
  /** The panel has no connection to the agent now; nobody noted why. */
  not_connected: [];
  /** The agent is connected but did not answer a request. */
  no_answer: [seconds: number];
  /** The node's engine cannot do what was asked. */
  unsupported: [];
  misbehaved: [messages: number, last: string];
  ended: [reason: string];
  /** What nobody has a code for. */
  failed: [why: string];
  /** The engine's own words are the message. */
  refused: [];
  /** The node that the agent serves. */
  duplicate: [holder: number, name: string, address: string];
  /** Keys. */
  mismatched: [presented: string, saved: string];
  off: [];
  limit: [];
  licence: [];
}
export type CauseCode = keyof CauseValues;
export type NodeCause = { readonly [C in CauseCode]: { readonly code: C; readonly values: CauseValues[C] } }[CauseCode];

/** A warning for programs: `detail` is the warning, `kind` and `tag` name the item that it is about. */
export interface NodeNotice {
  readonly code: string;
  readonly values: (string | number)[];
  readonly detail: string;
  readonly kind: "inbound" | "outbound" | "route" | "core" | "";
  readonly tag: string;
}
