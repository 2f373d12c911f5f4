// The HTTP port `authenticate`: from a credential to the live caller.
import { Refusal, type Caller, type HttpPorts } from "../../http/index.ts";
import { sha256Hex } from "../../lib/ids.ts";
import type { SettingsReader } from "../../feature/index.ts";
import type { Access } from "../access.ts";
import { sessionCaller, tokenCaller } from "./reach.ts";

/** Throws 403 for an address outside `login_allowlist`, where one is set (rule access.session.10). */
export function refuseAddress(settings: SettingsReader<"login_allowlist">, ip: string): void {
  const allowed = settings.addresses("login_allowlist");
  if (allowed.entries.length > 0 && !allowed.contains(ip)) throw new Refusal("address_refused");
}

export function authenticator(access: Access): HttpPorts["authenticate"] {
  const { directory, activity, settings, now } = access;
  return async ({ kind, value }, { ip }, touch): Promise<Caller | undefined> => {
    const holder = await directory.find(kind, sha256Hex(value));
    if (!holder) return undefined;
    const time = Math.floor(now() / 1000);
    if ("token" in holder) {
      const caller = tokenCaller(holder.token, holder.admin, holder.roles, time);
      if (caller && touch) activity.token(holder.token, ip);
      return caller;
    }
    const caller = sessionCaller(holder.session, holder.admin, holder.role, time, activity.lastSeen(holder.session));
    if (!caller) return undefined;
    refuseAddress(settings, ip);
    if (touch) activity.session(holder.session, ip);
    return caller;
  };
}
