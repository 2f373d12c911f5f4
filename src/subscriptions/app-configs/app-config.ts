// Configurations of clients that speak one protocol only: Hysteria's and TUIC's own programs. Pure (rules
// subscriptions.app).
import type { PlacedEntry } from "../documents/entries.ts";
import { hostInUrl } from "../documents/hosts.ts";
import type { Entry } from "../documents/model.ts";
import type { AppProtocol } from "./app-configs.schema.ts";

/** Where these programs offer their proxy, on the client's machine alone. */
const LOCAL_SOCKS = "127.0.0.1:1080";
const LOCAL_HTTP = "127.0.0.1:8080";

type Config = Readonly<Record<string, unknown>>;

export interface AppConfig {
  readonly nodeId: number;
  readonly inboundId: number;
  /** The inbound's tag. */
  readonly inbound: string;
  readonly protocol: AppProtocol;
  /** The entry's name in subscriptions. */
  readonly name: string;
  readonly config: Config;
}

/** `hysteria client -c FILE`, which takes JSON as well as YAML. */
function hysteria2({ server, port, password, obfsPassword, tls }: Entry): Config {
  return {
    server: `${hostInUrl(server)}:${port}`,
    auth: password,
    tls: {
      sni: tls?.serverName || server,
      insecure: tls?.insecure === true,
      ...(tls?.pinSha256 && { pinSHA256: tls.pinSha256 }),
    },
    ...(obfsPassword !== "" && { obfs: { type: "salamander", salamander: { password: obfsPassword } } }),
    socks5: { listen: LOCAL_SOCKS },
    http: { listen: LOCAL_HTTP },
  };
}

/**
 * `tuic-client -c FILE`. It asks for the name in `server`; where it connects to stands in `ip`, which takes no name: an
 * address of a host behind another name is left to the resolver of the client.
 */
function tuic({ server, port, uuid, password, congestionControl, tls }: Entry): Config {
  const alpn = tls?.alpn ?? [];
  return {
    relay: {
      server: `${hostInUrl(tls?.serverName || server)}:${port}`,
      ...(isAddress(server) && tls?.serverName && { ip: server }),
      uuid,
      password,
      udp_relay_mode: "native",
      congestion_control: congestionControl === "" ? "cubic" : congestionControl,
      ...(alpn.length > 0 && { alpn: [...alpn] }),
      ...(tls?.insecure && { skip_cert_verify: true }),
    },
    local: { server: LOCAL_SOCKS },
  };
}

function isAddress(server: string): boolean {
  return server.includes(":") || /^[\d.]+$/.test(server);
}

const WRITERS: Readonly<Record<AppProtocol, (entry: Entry) => Config>> = { hysteria2, tuic };

function isAppProtocol(protocol: string): protocol is AppProtocol {
  return Object.hasOwn(WRITERS, protocol);
}

/** One configuration for each node and inbound: by the node's primary address, which comes first. */
export function appConfigs(entries: readonly PlacedEntry[]): AppConfig[] {
  const first = new Map<string, AppConfig>();
  for (const { entry, origin } of entries) {
    const { nodeId, inboundId, inbound } = origin;
    const { protocol, name } = entry;
    const place = `${nodeId}/${inboundId}`;
    if (nodeId === 0 || !isAppProtocol(protocol) || first.has(place)) continue;
    first.set(place, { nodeId, inboundId, inbound, protocol, name, config: WRITERS[protocol](entry) });
  }
  return [...first.values()];
}
