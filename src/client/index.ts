// @signalbox/client: a panel's API for programs. No dependency but `fetch` and WebCrypto, which Node, Deno, Bun and
// browsers have.
export { ApiError, type RefusalBody, type RefusedField } from "./api-error.ts";
export type { Fetch } from "./exchange.ts";
export * from "./operations.ts";
export {
  Panel,
  type CallOptions,
  type Followed,
  type FollowOptions,
  type ItemOf,
  type ListId,
  type PanelOptions,
} from "./panel.ts";
export type { Patience } from "./patience.ts";
export { verifyWebhook, type Delivery } from "./webhook.ts";
