// A running v2ray or Xray process as the driver controls it.
import type { EngineControl, Json } from "../process/dialect.ts";
import { EngineApi, EngineApiError } from "../process/api/grpc.ts";
import { frameBytes, inboundBytes, type PackagePrefix } from "../process/api/grpc-messages.ts";
import { frameSteps, liveFrame, type OutboundWords } from "./frame-change.ts";
import type { Routing } from "./rule-tags.ts";

export interface RaysControlOptions {
  readonly grpc: string;
  readonly prefix: PackagePrefix;
  /** A configuration as the engine's own protobuf bytes. */
  readonly convert: (config: Json) => Promise<Uint8Array>;
  /** Our inbound tags as the engine knows them. */
  readonly tagOf?: (tag: string) => string;
  /** Absent: outbounds and rules do not change live. */
  readonly outbounds?: OutboundWords;
  /** The engine lists who is online from where. */
  readonly online: boolean;
}

export function raysControl(options: RaysControlOptions): EngineControl {
  const api = new EngineApi(options.grpc, options.prefix);
  const tagOf = options.tagOf ?? ((tag: string) => tag);
  return {
    ping: async (timeoutMs) => api.ping(timeoutMs),
    userCounters: async (timeoutMs) => api.userCounters(timeoutMs),
    addUser: async (tag, email, account) => api.addUser(tagOf(tag), email, account),
    removeUser: async (tag, email) => api.removeUser(tagOf(tag), email),
    addInbound: async (config) => api.addInbound(inboundBytes(await options.convert({ inbounds: [config] }))),
    removeInbound: async (tag) => api.removeInbound(tagOf(tag)),
    changeFrame: async (before, after) => changeFrame(api, options, before, after),
    streams: async () => Promise.resolve(undefined),
    closeStreams: async () => Promise.resolve(),
    ...(options.online && { onlineAddresses: async () => api.onlineAddresses() }),
    close: () => api.close(),
  };
}

/** Everything is converted before anything is changed: what the engine cannot read leaves it as it was. */
async function changeFrame(
  api: EngineApi,
  { prefix, convert, outbounds: words }: RaysControlOptions,
  before: Json,
  after: Json,
): Promise<void> {
  if (!words) throw new Error("this engine changes neither outbounds nor rules live");
  const steps = frameSteps(liveFrame(before), liveFrame(after), words);
  const added = steps.flatMap((step) => (step.kind === "add" ? [step.outbound] : []));
  const lists = steps.flatMap((step) => (step.kind === "rules" ? [step.after] : []));
  const [handlers, ...tables] = await Promise.all([
    added.length === 0 ? [] : convert({ outbounds: added }).then((bytes) => frameBytes(bytes, prefix).outbounds),
    ...lists.map(async (routing) => frameBytes(await convert({ routing }), prefix)),
  ]);
  const nextHandler = handlers.values();
  const nextTable = tables.values();
  for (const step of steps) {
    if (step.kind === "remove") await api.removeOutbound(step.tag);
    else if (step.kind === "add") {
      const handler = nextHandler.next().value;
      if (!handler) throw new Error("the converter left an outbound out");
      // A stand-in of a change that an agent did not live to finish may still be there.
      await api.removeOutbound(String(step.outbound["tag"]));
      await api.addOutbound(handler);
    } else {
      const table = nextTable.next().value;
      if (!table) throw new Error("the converter left the rules out");
      await exchangeRules(api, table, step.before, step.after);
    }
  }
}

/**
 * The new list goes behind the old one, which is then taken away from its end on: every connection is led by the first
 * match of the one list or of the other. Replacing the whole list in one call would leave a moment without any rule.
 */
async function exchangeRules(
  api: EngineApi,
  table: ReturnType<typeof frameBytes>,
  before: Routing,
  after: Routing,
): Promise<void> {
  const old = before.rules.map((rule) => rule["ruleTag"]).filter((tag) => typeof tag === "string");
  const next = new Set(after.rules.map((rule) => rule["ruleTag"]));
  if (old.some((tag) => next.has(tag))) throw new Error("two lists of rules have the same names");
  for (const balancer of table.balancers) {
    try {
      await api.appendRules([], [balancer]);
    } catch (error) {
      // Its name says what is in it: it is there since the engine last had this list.
      if (!(error instanceof EngineApiError && /duplicate balancer tag/i.test(error.text))) throw error;
    }
  }
  await api.appendRules(table.rules, []);
  for (const tag of old.toReversed()) await api.removeRule(tag);
}
