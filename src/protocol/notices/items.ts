// Why an item of the plan, or a part of it, is not served.
import { byOthers, declare, engineName, joined, plain } from "./catalogue.ts";

const joint = (together: string): string => (together.startsWith("transport ") ? "over" : "with");
const embeddedServes = (by: string): string => `${joined(by.split(","), "or")} serves it`;

export const ITEMS = {
  /** Engine, what it does not serve, the engines that do. */
  unserved: declare(["text", "text", "text"], (engine, what, by) =>
    engine === "embedded"
      ? `${what} is not served by the embedded engine; ${embeddedServes(by)}`
      : `${engineName(engine)} does not serve ${what}${byOthers(by)}`,
  ),
  /** Engine, what it does not serve, together with what, the engines that do. */
  unserved_with: declare(
    ["text", "text", "text", "text"],
    (engine, what, together, by) =>
      `${engineName(engine)} does not serve ${what} ${joint(together)} ${together}${byOthers(by)}`,
  ),
  /** What goes to the outbound is refused. */
  nothing_to_choose: plain("`outbounds` lists nothing to choose from"),
  unserved_action: declare(
    ["text", "text", "text"],
    (engine, action, by) => `${engineName(engine)} does not serve the action ${action}${byOthers(by)}`,
  ),
  /** What is routed to the outbound is refused. */
  unserved_outbound_type: declare(
    ["text", "text"],
    (type, by) =>
      `type ${type} is not served by the embedded engine, what is routed there is refused; ${embeddedServes(by)}`,
  ),
  upstream_tls: plain(
    "an upstream proxy over TLS is not served by the embedded engine, what is routed there is refused; " +
      "sing-box or xray serves it",
  ),
  socks_version: plain("only SOCKS version 5 is served; sing-box serves 4 and 4a"),
  /** Path, what is wrong with it. */
  invalid: declare(["text", "text"], (path, why) => `\`${path}\`: ${why}`),
  /** Path, value, form that it must have. */
  malformed: declare(
    ["text", "text", "text"],
    (path, value, form) => `\`${path}\`: "${value}" is not of the form ${form}`,
  ),
  missing: declare(["text"], (path) => `\`${path}\` is missing`),
  replaced: declare(["text", "text"], (path, instead) => `\`${path}\` is of an older dialect: use ${instead}`),
  removed: declare(["text"], (path) => `\`${path}\` was removed from sing-box`),
  panels_own: declare(["text"], (path) => `\`${path}\` is the panel's own`),
  tag_twice: plain("the tag is used twice"),
  port_twice: declare(["count", "text"], (port, tag) => `port ${port} is already used by inbound ${tag}`),
  own_tag: plain("tags that begin with signalbox. are the agent's own"),
  no_certificate: plain("TLS is enabled, but there is no certificate and key"),
  not_pem: declare(["text"], (paths) => `${paths} must be PEM`),
  other_key: plain("`tls.key` does not belong to `tls.certificate`"),
  needs_tls: declare(["text"], (what) => `${what} needs TLS`),
  takes_no_tls: declare(["text"], (what) => `${what} takes neither TLS nor a transport`),
  no_reality: declare(["text"], (what) => `REALITY does not exist over ${what}`),
  flow_needs_tls: plain("`flow` works only with TLS or REALITY and without a transport"),
  unchecked_certificate: plain(
    "Xray connects to no server whose certificate it cannot check: give it as `tls.certificate`; " +
      "sing-box obeys `tls.insecure`",
  ),
  /** What, the tag of the build. */
  needs_build: declare(["text", "text"], (what, tag) => `${what} needs a sing-box built with the tag ${tag}`),
  no_users: declare(
    ["text"],
    (what) => `${what} knows no users of its own, so nobody could be counted or switched off`,
  ),
  /** Path, method, bytes. */
  not_key: declare(
    ["text", "text", "count"],
    (path, method, bytes) => `\`${path}\` must be the key of ${method}: base64 of ${bytes} bytes`,
  ),
  shadowtls_version: plain("`version`: only version 3 of shadowtls knows users"),
  shadowtls_detour: plain("`detour`: shadowtls carries the connections of another inbound, which is missing"),
  slash_in_service: plain("`transport.service_name` that begins with a slash means another path on Xray"),
  direct_target: plain("`override_address` is missing: Xray does not know where the connections shall go"),
  /** Path, tag that it names. */
  names_unserved: declare(["text", "text"], (path, tag) => `\`${path}\`: "${tag}" is not served`),
  names_nothing: declare(["text", "text"], (path, tag) => `\`${path}\`: there is no "${tag}"`),
  outbound_unserved: declare(
    ["text"],
    (outbound) => `the outbound "${outbound}" is not served; what the rule matches is refused`,
  ),
  final_unserved: declare(
    ["text"],
    (outbound) => `the outbound "${outbound}" named by \`final\` is not served; what no rule matches is refused`,
  ),
  no_outbound: declare(["text"], (tag) => `there is no outbound ${tag}; what is routed there is refused`),
  loops: plain("it leads back to itself"),
  no_choice: plain("`outbounds`: none of them is served"),
  rule_unserved: declare(
    ["count", "text"],
    (rule, why) => `rule ${rule} is not served by the embedded engine (${why}); sing-box or xray serves it`,
  ),
  matches_all: plain("the rule matches everything; `final` is the place for that"),
  matches_nothing: declare(["text"], (engine) => `${engineName(engine)} does not serve a rule without names`),
  rule_set_kind: declare(
    ["text", "text"],
    (engine, tag) =>
      `${engineName(engine)} does not serve the rule set "${tag}", which is not inline${byOthers("sing-box")}`,
  ),
  named_twice: declare(
    ["text", "text"],
    (engine, field) =>
      `${engineName(engine)} does not serve a rule that names \`${field}\` twice${byOthers("sing-box")}`,
  ),
  many_alternatives: declare(
    ["text"],
    (engine) => `${engineName(engine)} does not serve a logical rule of so many alternatives${byOthers("sing-box")}`,
  ),
  /** What the engine itself has against the item. */
  engine_refused: declare(["text"], (why) => why),
  /** Part that is left out, paths. */
  not_for_nodes: declare(["texts"], (...paths) => `${ticked(paths)} may not be set on nodes`),
  type_not_for_nodes: declare(["text"], (type) => `type \`${type}\` is for no node`),
  private_target: declare(["texts"], (...paths) => `${ticked(paths)} leads to a private address, which is closed here`),
  no_engine: plain("the node runs no engine"),
  /** Port, program that holds it; empty where the agent may not know it. */
  port_taken: declare(["count", "text"], (port, holder) => {
    // An agent without root is told of its own user's programs alone: then whoever reads it may ask.
    const hint = ` (as root, \`ss -ltunp 'sport = :${port}'\` names it)`;
    return `port ${port} is used by another program${holder === "" ? hint : `: ${holder}`}`;
  }),
  port_denied: declare(["count"], (port) => `port ${port} is not for a program without CAP_NET_BIND_SERVICE`),
  no_address: declare(["text"], (address) => `${address} is no address of this host`),
};

const MOST_NAMED = 5;

/** Paths come from whoever wrote the fragment: few are shown. */
function ticked(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_NAMED).map((path) => `\`${path}\``);
  return paths.length > MOST_NAMED ? `${shown.join(", ")} and ${paths.length - MOST_NAMED} more` : shown.join(", ");
}
