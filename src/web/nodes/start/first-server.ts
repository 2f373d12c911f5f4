// What the first minutes create, as bodies of the API: an inbound, the template that carries it, and the node on the
// panel's own machine. Pure.
import { LOCAL_ADDRESS } from "../node.ts";

/**
 * `plain`: VLESS over TCP, which every engine serves. `reality`: VLESS behind REALITY, which Xray and sing-box serve.
 */
export type Serving = "plain" | "reality";

export interface FirstServer {
  readonly serving: Serving;
  /** Where clients connect. */
  readonly port: number;
  /** The site that REALITY shows to strangers. */
  readonly site: string;
  /** What subscriptions name. */
  readonly clientAddress: string;
  /** Where the panel's own agent listens for it. */
  readonly agentPort: number;
}

export interface RealityKeys {
  readonly privateKey: string;
  readonly shortId: string;
}

export function inboundBody({ serving, port, site }: FirstServer, keys: RealityKeys | undefined) {
  const listens = { listen: "0.0.0.0", listen_port: port };
  if (serving === "plain" || !keys) return { tag: `vless-${port}`, type: "vless", remark: "VLESS", config: listens };
  const reality = {
    enabled: true,
    handshake: { server: site, server_port: 443 },
    private_key: keys.privateKey,
    short_id: [keys.shortId],
  };
  return {
    tag: `vless-reality-${port}`,
    type: "vless",
    remark: "VLESS REALITY",
    config: { ...listens, tls: { enabled: true, server_name: site, reality } },
  };
}

export function templateBody(name: string, inboundId: number) {
  return { name, inboundIds: [inboundId] };
}

export function localNodeBody(
  name: string,
  templateId: number,
  { clientAddress, agentPort }: Pick<FirstServer, "clientAddress" | "agentPort">,
) {
  return { name, address: LOCAL_ADDRESS, port: agentPort, isLocal: true, linkAddress: clientAddress, templateId };
}
