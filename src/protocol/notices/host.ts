// What users lack, and what the host, its kernel or its disk keeps the agent from.
import { declare, engineName, plain, usersNamed } from "./catalogue.ts";

const speedLimited = (users: number): string =>
  users === 1 ? "1 user has a speed limit" : `${users} users have a speed limit`;

export const HOST = {
  /** Ids that are shown, how many more, protocols. */
  uuid_unusable: declare(
    ["text", "count", "text"],
    (shown, more, protocols) =>
      `${usersNamed(shown, more)}: the uuid is none or is another user's; not served on ${protocols} inbounds`,
  ),
  password_unusable: declare(
    ["text", "count", "text"],
    (shown, more, protocols) =>
      `${usersNamed(shown, more)}: the password is empty or is another user's; not served on ${protocols} inbounds`,
  ),
  /** Ids that are shown, how many more, which secret, protocols. */
  secret_unusable: declare(
    ["text", "count", "text", "text"],
    (shown, more, secret, protocols) =>
      `${usersNamed(shown, more)}: the ${secret} is missing, malformed or another user's; ` +
      `not served on ${protocols} inbounds`,
  ),
  uuid_alike: declare(
    ["text", "count"],
    (shown, more) =>
      `${usersNamed(shown, more)}: the uuid differs from another user's in its third group alone, ` +
      "which Xray does not look at; not served on vless inbounds",
  ),
  /** Ids that are shown, how many more, bytes, tags of inbounds. */
  key_unusable: declare(
    ["text", "count", "count", "texts"],
    (shown, more, bytes, ...tags) =>
      `${usersNamed(shown, more)}: the shadowsocks key is not base64 of ${bytes} bytes; ` +
      `not served on ${tags.join(", ")}`,
  ),
  flow_unknown: declare(
    ["text", "count"],
    (shown, more) => `${usersNamed(shown, more)}: the flow is none that Xray serves; they must connect without it`,
  ),
  uuid_malformed: declare(["count"], (user) => `user ${user}: the uuid is malformed; vless does not serve the user`),
  ip_limit_unheld: plain(
    "ipLimit is not held here: connections of too many addresses cannot be cut (`ss -K` needs CAP_NET_ADMIN)",
  ),
  ip_limit_anonymous: plain("ipLimit is not held there, the engine does not tell whose a connection is"),
  ip_limit_udp: plain(
    "ipLimit is not held over UDP, flows cannot be dropped (the port map needs nft and CAP_NET_ADMIN)",
  ),
  /** Users who have one, why it is not held. */
  speed_limit_unheld: declare(
    ["count", "text"],
    (users, why) => `${speedLimited(users)}, which is not held here (${why}); the embedded engine holds it`,
  ),
  speed_limit_anonymous: declare(
    ["count"],
    (users) =>
      `${speedLimited(users)}, which is not held here (connections cannot be told apart); the embedded engine holds it`,
  ),
  /** Users who have one, tags of inbounds. */
  speed_limit_partly: declare(
    ["count", "texts"],
    (users, ...tags) =>
      `${speedLimited(users)}, which holds neither over UDP nor where the engine does not tell whose a connection is: ` +
      `not on ${tags.join(", ")}`,
  ),
  removed_stay: plain(
    "open connections of a removed user cannot be cut here (`ss -K` needs CAP_NET_ADMIN); " +
      "he keeps them until they end",
  ),
  change_cuts: declare(
    ["texts"],
    (...tags) =>
      `inbounds ${tags.join(", ")}: a change of one cuts its connections; ` +
      "the port map, which would spare them, needs nft and CAP_NET_ADMIN",
  ),
  every_change_cuts: declare(
    ["texts"],
    (...tags) =>
      `inbounds ${tags.join(", ")}: every change cuts the connections; ` +
      "the port map, which would spare them, needs nft and CAP_NET_ADMIN",
  ),
  udp_first_target: plain(
    "over UDP a client's socket reaches its first target alone; " +
      "the port map, with which it reaches others, needs nft and CAP_NET_ADMIN",
  ),
  names_reach_private: declare(["text"], (engine) => resolvesAgain(engine, "private targets")),
  names_reach_engine: declare(["text"], (engine) => resolvesAgain(engine, "the engine's own interface")),
  disk_refuses_state: plain("the node's disk refuses the desired state: after a restart it would serve an older one"),
  disk_refuses_ledger: plain("the node's disk refuses the usage ledger: traffic is counted in memory only"),
  disk_refuses_fence: plain(
    "the node's disk refuses the fence: after a restart an older panel process could be let in",
  ),
  disk_refuses_engine: plain(
    "the node's disk refuses the engine's state: an agent that is killed now would restart the engine",
  ),
};

function resolvesAgain(engine: string, what: string): string {
  return (
    `${engineName(engine)} resolves a name again to dial it, so a name whose answers change reaches ${what}: ` +
    "to close that, the kernel needs nft and the agent CAP_NET_ADMIN; other engines close it by themselves"
  );
}
