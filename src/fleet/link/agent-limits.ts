// What a panel takes from an agent, which may send anything: how much, how fast, and how many wrong messages.
import { HELLO_BYTES } from "../../protocol/messages.ts";
import type { PeerLimits } from "../../protocol/peer-contract.ts";

/**
 * An agent sends one batch of usage at a time and sends a heartbeat every ten seconds. A node of 10,000 users who are
 * all active sends some 250 kB a second; a ledger that waited for days comes at this rate. A larger message is read at
 * once, and its time is waited after it.
 */
export const AGENT_LIMITS: Partial<PeerLimits> = {
  handling: 8,
  protocolErrors: 3,
  firstBytes: HELLO_BYTES,
  bytesPerSecond: 1024 * 1024,
  burstBytes: 2 * 1024 * 1024,
};
