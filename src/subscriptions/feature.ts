// Subscriptions as the panel takes them: what clients fetch, the devices that fetch it, and why an account cannot
// connect.
import { DeviceHandles, isSubscriptionDomain } from "../accounts/index.ts";
import type { AnyFeature, Core, Opened } from "../feature/index.ts";
import { AddressLimit } from "../http/index.ts";
import { inlineCertificate } from "./delivery/inline-certificate.ts";
import { subscriptionPlugin } from "./delivery/subscription.routes.ts";
import { subscriptionsRoutes } from "./routes.ts";
import type { ServingFleet } from "./serving-fleet.ts";
import { subscriptionsSettings, type SubscriptionSetting } from "./subscriptions.settings.ts";
import { subscriptionsWords } from "./subscriptions.words.ts";

/** Requests of one source address (rule subscriptions.key.3). */
const SUBSCRIPTIONS_PER_MINUTE = 120;

type SubscriptionsCore = Core<SubscriptionSetting, "user.first_fetch" | "user.device_limit_reached">;

/** What subscriptions do for the panel. */
interface SubscriptionsServe {
  /** Whether a host name is one of the domains that serve subscriptions. */
  readonly isSubscriptionDomain: (host: string) => boolean;
}

function open(core: SubscriptionsCore, { entryNodes, nodeStandings }: ServingFleet): Opened<SubscriptionsServe> {
  const { clock, commits, log, outbox, publicAddress, reads, secretKey, undo } = core;
  const settings = { get: (key: SubscriptionSetting) => core.settings.text(key) };
  const deviceHandles = new DeviceHandles(secretKey);
  const subscriptions = subscriptionPlugin({
    commits,
    reads,
    clock,
    outbox,
    settings,
    publicAddress,
    deviceHandles,
    entryNodes,
    certificateOf: inlineCertificate,
    limit: new AddressLimit(SUBSCRIPTIONS_PER_MINUTE, () => clock.now()),
    onError: (error) => log.warn({ err: error }, "fetches of subscriptions were not recorded"),
  });
  undo.push(() => subscriptions.stop());
  const deps = {
    reads,
    settings,
    publicAddress,
    deviceHandles,
    nodeStandings,
    places: subscriptions.places,
    served: () => subscriptions.served(),
    now: () => Math.floor(clock.now() / 1000),
  };
  return {
    routes: subscriptionsRoutes(deps),
    plugins: [subscriptions],
    serves: { isSubscriptionDomain: (host) => isSubscriptionDomain(host, settings.get("sub_domain")) },
  };
}

export const feature = {
  name: "subscriptions",
  settings: subscriptionsSettings,
  commands: ["GET /users/{id}/verdict"],
  words: subscriptionsWords,
  open,
} as const satisfies AnyFeature;
