// What a connected node does not serve, in English, by the code of the notice.
import { ENGLISH, roughSpan } from "../../../protocol/notices/index.ts";
import type { NoticeWords } from "../../../fleet/records/notice.schema.ts";

export const notices: NoticeWords = {
  ...ENGLISH,
  reaches_host: (...paths) => `Left out, since it could reach the node itself: ${paths.join(", ")}`,
  on_loopback: "It listens on loopback, and nothing leads to it: no subscription lists it.",
  relapsing:
    "The agent goes on reporting another configuration than it took. It is compared again with growing pauses.",
  clock_ahead: (seconds) => `The node's clock is ${roughSpan(seconds, "en")} ahead of the panel's. Set it (NTP).`,
  clock_behind: (seconds) => `The node's clock is ${roughSpan(seconds, "en")} behind the panel's. Set it (NTP).`,
  ledgers: (most) => `The node began ${most} usage ledgers within a day. Usage of a further one is not taken yet.`,
  more: (warnings) => `Further warnings: ${warnings}. The agent's log has them.`,
  agent_too_old: (key) => `Left out, since the node's agent is too old for it: ${key}. Update the agent.`,
  usage_refused: "Usage that the node told of was refused in the last day. Its usage refusals say which.",
};
