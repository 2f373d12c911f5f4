// Flows of VLESS accounts: what an account may have, what its clients are told, and what its nodes run.

export const VISION = "xtls-rprx-vision";
/** As `VISION`, but the client lets UDP to port 443 through. It concerns the client alone. */
const VISION_UDP443 = "xtls-rprx-vision-udp443";

export const FLOWS = ["", VISION, VISION_UDP443] as const;

/**
 * What a server is configured with for an account of this flow. sing-box clients too: they know no other and let that
 * port through anyhow.
 */
export function servedFlow(flow: string): string {
  return flow === VISION_UDP443 ? VISION : flow;
}
