// What the description of the API says of inbounds, outbounds, templates and the tools that make keys.
import type { Words } from "../http/index.ts";
import { INBOUND_TYPES } from "./dialect/inbound-fields.ts";
import { OUTBOUND_TYPES } from "./dialect/outbound.ts";

const inbound = { says: "The protocol.", choices: INBOUND_TYPES };
const outbound = { says: "The protocol, or what it does.", choices: OUTBOUND_TYPES };

export const poolWords: Words = {
  InboundCreate: "A new inbound. What is left out is empty or off.",
  InboundUpdate: "Fields of an inbound. What is left out is kept.",
  OutboundCreate: "A new outbound. What is left out is empty.",
  OutboundUpdate: "Fields of an outbound. What is left out is kept.",
  TemplateCreate: "A new template. What is left out is empty.",
  TemplateUpdate: "Fields of a template. What is left out is kept.",
  "Inbound.tag": "What routes, links and counters call it. Two inbounds of one node have different ones.",
  "InboundCreate.tag": "What routes, links and counters call it.",
  "InboundUpdate.tag": "What routes, links and counters call it.",
  "Outbound.tag": "What routes call it.",
  "OutboundCreate.tag": "What routes call it.",
  "OutboundUpdate.tag": "What routes call it.",
  "Inbound.type": inbound,
  "InboundCreate.type": inbound,
  "InboundUpdate.type": inbound,
  "Outbound.type": outbound,
  "OutboundCreate.type": outbound,
  "OutboundUpdate.type": outbound,
  config: "The fragment of configuration, in the form of the engine's own (docs/engines.md).",
  useNodeCert: "Whether the node's own certificate takes the place of the inbound's.",
  certificateId: "The panel's certificate for its TLS; it wins over `useNodeCert`. 0 or null: none.",
  clientConfig: "What links and subscriptions say in place of the inbound's own; nodes are not sent it.",
  frontedOnly: "Whether links without a front are left out where one is there.",
  route: "The route, in the form of the engine's own; null: none.",
  core: "What the engine is given beside, in its own form; null: nothing.",
  inboundIds: "Its inbounds, in the order that is wanted.",
  outboundIds: "Its outbounds, in the order that is wanted.",
  endpointIds: "Its endpoints, in the order that is wanted.",
  ruleSetIds: "Its rule sets, in the order that is wanted.",
  "Template.inbounds": "Its inbounds, whole.",
  "Template.outbounds": "Its outbounds, whole.",
  endpoints: "Its endpoints, whole.",
  ruleSets: "Its rule sets, whole.",
  ConfigSchema: "A JSON Schema (2020-12).",
  "getConfigSchema.collection": "Where the fragment belongs.",
  "getConfigSchema.type": "The type of its record; empty for `route`, `core`, `clientConfig` and `clientTls`.",
  "MakeUuidAnswer.uuid": "The UUID that was made.",
  method: "A method of Shadowsocks.",
  "MakeShadowsocksKeyBody.method": "The method of Shadowsocks that the key is for.",
  "MakeShadowsocksKeyAnswer.key": "The key, in base64.",
  privateKey: "The private key, in base64.",
  publicKey: "The public key, in base64.",
  shortId: "The short id, in hex.",
};
