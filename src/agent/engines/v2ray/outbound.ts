// One outbound of the plan as v2ray runs it.
import { z } from "zod";
import type { PlanOutbound } from "../../../protocol/plan.ts";
import type { CompiledOutbound } from "../rays/outbounds.ts";
import { Address, Host } from "../rays/hosts.ts";
import { parsed, unserved } from "./words.ts";
import { compileStream } from "./stream.ts";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

const Server = z.looseObject({
  server: Host,
  server_port: z.int().min(1).max(65_535),
  tls: z.unknown().optional(),
  transport: z.unknown().optional(),
});
const Login = z.looseObject({ username: z.string().default(""), password: z.string().default("") });
const VlessUser = z.looseObject({ uuid: z.string().min(1), flow: z.string().default("") });
const VmessUser = z.looseObject({
  uuid: z.string().min(1),
  security: z.string().default("auto"),
  alter_id: z.int().default(0),
});
const Password = z.looseObject({ password: z.string().min(1) });
const Shadow = z.looseObject({ method: z.string(), password: z.string().min(1) });
const Group = z.looseObject({ outbounds: z.array(z.string()).min(1), default: z.string().optional() });
const Common = z.looseObject({
  multiplex: z.looseObject({ enabled: z.boolean().optional() }).optional(),
  detour: z.string().optional(),
  inet4_bind_address: Address.optional(),
});

/** Throws a Refusal when v2ray cannot run it. */
export function compileOutbound(outbound: PlanOutbound): CompiledOutbound {
  const { tag, type, config } = outbound;
  if (type === "selector" || type === "urltest") {
    const group = parsed(Group, config);
    const target = group.default ?? group.outbounds[0] ?? "";
    return {
      kind: "alias",
      tag,
      target,
      note: reason("group_fixed", "v2ray", type, tag, target),
    };
  }
  if (type === "block") return { kind: "outbound", tag, config: { tag, protocol: "blackhole", settings: {} } };
  const common = parsed(Common, config);
  if (common.multiplex && common.multiplex.enabled !== false) throw unserved("`multiplex`", "singBox");
  if (common.detour) throw unserved("`detour`", "both");
  const through = common.inet4_bind_address === undefined ? {} : { sendThrough: common.inet4_bind_address };
  if (type === "direct")
    return { kind: "outbound", tag, config: { tag, protocol: "freedom", settings: {}, ...through } };
  const settings = proxySettings(type, config);
  const { tls, transport } = parsed(Server, config);
  const stream = compileStream("outbound", tls, transport);
  return {
    kind: "outbound",
    tag,
    config: { tag, protocol: type, settings, streamSettings: stream.settings, ...through },
  };
}

function proxySettings(type: string, config: unknown): Record<string, unknown> {
  const { server: address, server_port: port } = ["socks", "http", "vless", "vmess", "trojan", "shadowsocks"].includes(
    type,
  )
    ? parsed(Server, config)
    : refuse(unserved(`outbound type ${type}`, ["wireguard", "hysteria2"].includes(type) ? "both" : "singBox"));
  if (type === "socks" || type === "http") {
    const { username, password } = parsed(Login, config);
    return { servers: [{ address, port, ...(username !== "" && { users: [{ user: username, pass: password }] }) }] };
  }
  if (type === "vless") {
    const { uuid, flow } = parsed(VlessUser, config);
    if (flow !== "") throw unserved(`\`flow\` ${flow}`, "both");
    return { vnext: [{ address, port, users: [{ id: uuid, encryption: "none" }] }] };
  }
  if (type === "vmess") {
    const { uuid, security, alter_id: alterId } = parsed(VmessUser, config);
    return { vnext: [{ address, port, users: [{ id: uuid, alterId, security }] }] };
  }
  if (type === "trojan") return { servers: [{ address, port, password: parsed(Password, config).password }] };
  const { method, password } = parsed(Shadow, config);
  if (method.startsWith("2022-")) throw unserved(`shadowsocks method ${method}`, "both");
  return { servers: [{ address, port, method: method.replace("-ietf", ""), password }] };
}

function refuse(error: Refusal): never {
  throw error;
}
