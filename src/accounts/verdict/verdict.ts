// Why an account cannot be used: what stands between it and a connection, checked in order (rules users.verdict). Pure.
import { isExpired, isLimited } from "../../../machines/user.ts";
import type { UserState } from "../users/user-change.ts";
import { hasNotStarted } from "../users/user-status.ts";
import type { VerdictAnswer, VerdictCheck } from "./verdict.schema.ts";

/** What other rooms know of an account. */
export interface Reach {
  /** Templates that the account belongs to. */
  readonly templates: number;
  /** Their inbounds, and those of them that the account may use. */
  readonly carried: number;
  readonly inbounds: number;
  /** Nodes that are switched on and have such an inbound, and how many of them are connected. */
  readonly nodes: number;
  readonly connected: number;
}

type Finding = Omit<VerdictCheck, "check">;

const FINE: Finding = { state: "ok", text: "", code: "ok", values: [], since: 0, action: null };
/** Of what the panel does not see yet. */
const UNKNOWN: Finding = { ...FINE, state: "unknown", text: "not known", code: "unknown" };

function failed(code: VerdictCheck["code"], text: string, more: Partial<Finding> = {}): Finding {
  return { ...FINE, state: "failed", code, text, ...more };
}

/** The request below the account's own path. */
function onUser({ row: { id } }: UserState, method: "POST" | "PATCH", verb = ""): Finding["action"] {
  return { method, path: `/users/${id}${verb}` };
}

/** `now`: Unix seconds. */
export function verdictOf(state: UserState, reach: Reach, now: number): VerdictAnswer {
  const checks: VerdictCheck[] = [
    { check: "enabled", ...enabled(state) },
    { check: "started", ...started(state) },
    { check: "date", ...date(state, now) },
    { check: "volume", ...volume(state) },
    { check: "reseller", ...reseller(state) },
    { check: "licence", ...FINE },
    { check: "served", ...served(state, reach) },
    { check: "applied", ...UNKNOWN },
    { check: "listening", ...UNKNOWN },
    { check: "fetched", ...fetched(state) },
    { check: "devices", ...UNKNOWN },
    { check: "addresses", ...UNKNOWN },
    { check: "refused", ...UNKNOWN },
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
  const text = `the account's date has passed: ${new Date(Math.min(row.expiry, LAST) * 1000).toISOString()}`;
  return row.disabledReason === "expiry" || isExpired({ ...row, now })
    ? failed("expired", text, { values: [row.expiry], since: row.expiry, action: onUser(state, "POST", "/renew") })
    : FINE;
}

/** The last second that JavaScript can write as a date. */
const LAST = 8_640_000_000_000;

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

function served(state: UserState, { templates, carried, inbounds, nodes, connected }: Reach): Finding {
  const edit = onUser(state, "PATCH");
  const [template, ...more] = state.row.allTemplates ? [] : state.row.templateIds;
  if (templates === 0) return failed("no_template", "the account belongs to no template", { action: edit });
  if (inbounds === 0 && carried > 0)
    return failed("none_chosen", "it may use none of the inbounds of its templates", { action: edit });
  if (inbounds === 0)
    return failed("no_inbound", "its templates carry no inbound for it", {
      action: template === undefined || more.length > 0 ? null : { method: "PUT", path: `/templates/${template}` },
    });
  // Which node should serve it, and what keeps a node away, is not this account's to know.
  if (nodes === 0) return failed("no_node", "no node that is switched on has its inbounds");
  if (connected === 0)
    return failed("not_connected", "none of the nodes that serve it is connected", { values: [nodes] });
  return { ...FINE, values: [connected, nodes] };
}

function fetched({ row }: UserState): Finding {
  const { subFetchedAt, subClient } = row;
  return subFetchedAt === 0
    ? { ...UNKNOWN, text: "no client has taken its configurations yet", code: "never_fetched" }
    : { ...FINE, values: [subClient], since: subFetchedAt };
}
