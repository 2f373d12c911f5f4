// Why an account cannot be used: what stands between it and a connection, checked in order (rules users.verdict). Pure.
import { hasNotStarted, type UserState } from "../../accounts/index.ts";
import { isExpired, isLimited } from "../../../machines/user-limits.ts";
import { isoTime } from "../../lib/moments.ts";
import { failed, FINE, UNKNOWN, type Finding } from "./finding.ts";
import { applied, listening, reached, type NodeReach } from "./node-checks.ts";
import type { VerdictAnswer, VerdictCheck } from "./verdict.schema.ts";

/** What other rooms know of an account. */
export interface Reach {
  /** Templates that the account belongs to. */
  readonly templates: number;
  /** Their inbounds, and those of them that the account may use. */
  readonly carried: number;
  readonly inbounds: number;
  /** Further ones that are on loopback, where no client comes. */
  readonly beyond: number;
  /** Nodes that are switched on and have such an inbound. */
  readonly nodes: readonly NodeReach[];
}

/** What is known of the clients that take an account's link. */
export interface Clients {
  /** Devices that have places. */
  readonly devices: number;
  /** Unix seconds at which a device found no place last; 0 = none did lately. */
  readonly refusedAt: number;
  /** The last request; undefined: none is known. */
  readonly last: { readonly at: number; readonly userAgent: string } | undefined;
  /** It was refused, and would be again, since it names no device. */
  readonly unidentified: boolean;
}

/** The request below the account's own path. */
function onUser({ row: { id } }: UserState, method: "POST" | "PATCH", verb = ""): Finding["action"] {
  return { method, path: `/users/${id}${verb}` };
}

/** `now`: Unix seconds. `names`: whether nodes may be named. */
export function verdictOf(
  state: UserState,
  reach: Reach,
  clients: Clients,
  now: number,
  names: boolean,
): VerdictAnswer {
  const checks: VerdictCheck[] = [
    { check: "enabled", ...enabled(state) },
    { check: "started", ...started(state) },
    { check: "date", ...date(state, now) },
    { check: "volume", ...volume(state) },
    { check: "reseller", ...reseller(state) },
    { check: "licence", ...FINE },
    { check: "served", ...served(state, reach, names) },
    { check: "applied", ...applied(reach.nodes, names) },
    { check: "listening", ...listening(reach.nodes, names) },
    { check: "fetched", ...fetched(state) },
    { check: "devices", ...devices(state, clients) },
    // Whether a node refuses an address at this moment is not told to the panel.
    { check: "addresses", ...(state.row.ipLimit === 0 ? FINE : UNKNOWN) },
    { check: "refused", ...refused(clients) },
  ];
  const first = checks.find((each) => each.state === "failed");
  return { ok: first === undefined, headline: first?.text ?? "nothing stands in the way", checks };
}

const sinceOf = ({ row }: UserState) => Math.floor(row.msince / 1000);

function enabled(state: UserState): Finding {
  const { enable, disabledReason } = state.row;
  return enable || (disabledReason !== "manual" && disabledReason !== "")
    ? FINE
    : failed("manual", "a person switched the account off", { since: sinceOf(state), action: onUser(state, "PATCH") });
}

function started({ row }: UserState): Finding {
  const text = "the account waits for its first connection";
  return hasNotStarted(row)
    ? { ...UNKNOWN, text, code: "not_started", values: [row.duration], since: row.createdAt }
    : { ...FINE, since: row.activatedAt };
}

function date(state: UserState, now: number): Finding {
  const { row } = state;
  const text = `the account's date has passed: ${isoTime(row.expiry)}`;
  return row.disabledReason === "expiry" || isExpired({ ...row, now })
    ? failed("expired", text, { values: [row.expiry], since: row.expiry, action: onUser(state, "POST", "/renew") })
    : FINE;
}

function volume(state: UserState): Finding {
  const { row, usage } = state;
  const used = usage.up + usage.down;
  if (row.disabledReason !== "volume" && !isLimited({ volume: row.volume, used })) return FINE;
  const since = row.disabledReason === "volume" ? sinceOf(state) : 0;
  const text = `the account's volume is used up: ${used} of ${row.volume} bytes`;
  return failed("used_up", text, { values: [used, row.volume], since, action: onUser(state, "POST", "/extend") });
}

function reseller(state: UserState): Finding {
  const { disabledReason, adminId } = state.row;
  const since = sinceOf(state);
  const action: Finding["action"] = adminId > 0 ? { method: "PUT", path: `/admins/${adminId}` } : null;
  switch (disabledReason) {
    case "resale-volume":
      return failed("reseller_volume", "the owning reseller spent its allowance", { since, action });
    case "resale-expiry":
      return failed("reseller_expiry", "the owning reseller's account has ended", { since, action });
    default:
      return FINE;
  }
}

function served(state: UserState, { templates, carried, inbounds, beyond, nodes }: Reach, names: boolean): Finding {
  const edit = onUser(state, "PATCH");
  const { allTemplates } = state.row;
  const [template, ...more] = allTemplates ? [] : state.row.templateIds;
  if (templates === 0 && allTemplates)
    return failed("no_templates", "there is no template", { action: { method: "POST", path: "/templates" } });
  if (templates === 0) return failed("no_template", "the account belongs to no template", { action: edit });
  if (inbounds === 0 && beyond > 0)
    return failed("on_loopback", "its inbounds listen on loopback, and nothing leads to them", { values: [beyond] });
  if (inbounds === 0 && carried > 0)
    return failed("none_chosen", "it may use none of the inbounds of its templates", { action: edit });
  if (inbounds === 0)
    return failed("no_inbound", "its templates carry no inbound for it", {
      action: template === undefined || more.length > 0 ? null : { method: "PUT", path: `/templates/${template}` },
    });
  return reached(nodes, names);
}

/** That all places are taken is as it should be, until another device asks. */
function devices(state: UserState, { devices: taken, refusedAt }: Clients): Finding {
  const { deviceLimit } = state.row;
  if (deviceLimit === 0) return FINE;
  const values = [taken, deviceLimit];
  return taken < deviceLimit || refusedAt === 0
    ? { ...FINE, values }
    : failed("devices_full", `a device was refused: ${taken} of ${deviceLimit} places are taken`, {
        values,
        since: refusedAt,
        action: onUser(state, "PATCH"),
      });
}

function refused({ last, unidentified }: Clients): Finding {
  if (!last) return UNKNOWN;
  const about = { values: [last.userAgent], since: last.at };
  return unidentified
    ? failed("no_device_id", "the last client that asked for its link was refused: it named no device", about)
    : FINE;
}

function fetched({ row }: UserState): Finding {
  const { subFetchedAt, subClient } = row;
  return subFetchedAt === 0
    ? { ...UNKNOWN, text: "no client has taken its configurations yet", code: "never_fetched" }
    : { ...FINE, values: [subClient], since: subFetchedAt };
}
