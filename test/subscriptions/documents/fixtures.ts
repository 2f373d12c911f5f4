// Users, inbounds and nodes for subscription tests; every part can be overridden.
import type {
  ServedCertificate,
  ServedInbound,
  ServingNode,
  SubscriptionUser,
} from "../../../src/subscriptions/documents/model.ts";
import { parseInboundConfig } from "../../../src/pool/dialect/inbound.ts";

export const user: SubscriptionUser = {
  name: "ali",
  remark: "",
  uuid: "b831381d-6324-4d53-ad4f-8cda48b30811",
  password: "p/w+d=1",
  ss16: Buffer.alloc(16, 2).toString("base64"),
  ss32: Buffer.alloc(32, 2).toString("base64"),
  flow: "xtls-rprx-vision",
};

export const node: ServingNode = {
  id: 1,
  name: "de1",
  remark: "",
  address: "de1.test",
  linkAddress: "",
  certificate: undefined,
  vision: true,
  multiplex: true,
};

export const selfSigned: ServedCertificate = {
  selfSigned: true,
  sha256: "ab".repeat(32),
  pem: "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n",
  names: ["de1.test"],
  client: {},
};

export const tls = { enabled: true, server_name: "a.test" };
export const reality = {
  enabled: true,
  handshake: { server: "w.test", server_port: 443 },
  private_key: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc",
  short_id: ["0123456789abcdef"],
};

/** An inbound of `type` whose fragment is `config` (port 443 unless it says otherwise), served by `node`. */
export function inbound(
  type: string,
  config: Record<string, unknown> = {},
  rest: Partial<ServedInbound> = {},
): ServedInbound {
  const result = parseInboundConfig(type, "in", { listen_port: 443, ...config });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return {
    id: 1,
    tag: "in",
    remark: "",
    dialect: result.inbound,
    client: {},
    untold: [],
    frontedOnly: false,
    apart: false,
    fronts: [],
    nodes: [node],
    ...rest,
  };
}
