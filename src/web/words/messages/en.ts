// Why a node is not served, in English: the reasons that the panel notes of it. How they are read is in told.ts.

export const messages = {
  refused: (address: string) => `${address} refuses connections: no agent listens there, or a firewall rejects it.`,
  silent: (address: string) => `${address} does not answer: the machine is off, or a firewall drops the connection.`,
  noRoute: (address: string) => `There is no route to ${address}.`,
  unknownName: (host: string) => `The name ${host} does not resolve to an address.`,
  cut: (address: string) => `${address} closed the connection at once: perhaps something other than the agent listens there.`,
  otherProgram: (address: string, status: string) => `Something other than the agent answers at ${address} (HTTP ${status}).`,
  unreachable: (address: string, cause: string) => `${address} is out of reach: ${cause}`,
  noGreeting: (seconds: string) => `The agent did not answer within ${seconds} seconds.`,
  lateConfiguration: "The agent did not take the configuration in time.",
  notTaken: (cause: string) => `The configuration was not taken: ${cause}`,
  heartbeats: (count: string) => `The agent fell silent: ${count} heartbeats were missed.`,
  wrongMessages: (count: string, last: string) =>
    `The agent sent ${count} wrong messages and is dialled again later each time. The last: ${last}`,
  ended: "The connection ended.",
  endedWith: (reason: string) => `The connection ended (${reason}).`,
  noCertificate: "The agent presented no certificate.",
  off: "Switched off.",
  limit: "The usage limit of the period is reached.",
  duplicate: (name: string, address: string) => `This agent serves ${name} (${address}) already.`,
  licence: "More nodes than the licence covers.",
};
