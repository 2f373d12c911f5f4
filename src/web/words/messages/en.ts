// Why a node is not served, in English, by the code of the cause.
import type { CauseWords, HereWords } from "../../../fleet/records/cause.schema.ts";

export const messages: CauseWords & { readonly here: HereWords } = {
  /** The same of an address of this machine: no other machine and no firewall stands in between. */
  here: {
    connection_refused: (address) => `${address} refuses connections: no agent listens there on this machine.`,
    timed_out: (address) => `${address} does not answer: the agent's process on this machine is stopped or hangs.`,
    connection_cut: (address) =>
      `${address} closed the connection at once: perhaps another program of this machine has the port.`,
  },
  connection_refused: (address) => `${address} refuses connections: no agent listens there, or a firewall rejects it.`,
  timed_out: (address) => `${address} does not answer: the machine is off, or a firewall drops the connection.`,
  no_route: (address) => `There is no route to ${address}.`,
  unknown_name: (host) => `The name ${host} does not resolve to an address.`,
  connection_cut: (address) =>
    `${address} closed the connection at once: perhaps something other than the agent listens there.`,
  other_program: (address, status) => `Something other than the agent answers at ${address} (HTTP ${status}).`,
  unreachable: (address, cause) => `${address} is out of reach: ${cause}`,
  no_greeting: (seconds) => `The agent did not answer within ${seconds} seconds.`,
  late_configuration: "The agent did not take the configuration in time.",
  not_taken: (cause) => `The configuration was not taken: ${cause}`,
  silent: (count) => `The agent fell silent: ${count} heartbeats were missed.`,
  not_connected: "The agent is not connected.",
  no_answer: (seconds) => `The agent did not answer the request within ${seconds} seconds.`,
  unsupported: "The node's engine cannot do this.",
  misbehaved: (count, last) =>
    `The agent sent ${count} wrong messages and is dialled again later each time. The last: ${last}`,
  ended: (reason) => `The connection ended (${reason}).`,
  no_agent: "Nothing at the node’s address answers as an agent of this panel. Whoever may install agents sees why.",
  no_certificate: "The agent presented no certificate.",
  off: "Switched off.",
  limit: "The usage limit of the period is reached.",
  duplicate: (_holder, name, address) => `This agent serves ${name} (${address}) already.`,
  licence: "More nodes than the licence covers.",
  failed: (why) => why,
  mismatched: (presented, saved) => `Another key answers than the saved one: ${presented} in place of ${saved}.`,
};
