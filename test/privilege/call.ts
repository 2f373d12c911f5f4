// A call as it is drawn, shown and repeated: records are named (`@users/user-0003`), so that it means the same on
// another panel.
import { randomUUID } from "node:crypto";
import { generateSync } from "otplib";
import type { Account, Model } from "./model.ts";

export interface Call {
  /** Label of the credential; "" = nobody. */
  readonly by: string;
  readonly route: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Label of the credential that a success gives. */
  readonly gives?: string;
  /** The identity that the provider reports when the browser returns from it. */
  readonly claims?: string;
}

const NOWHERE = 999_999_999;

/** A call with its names replaced by what they mean now; undefined: it means nothing (a code that there is none of). */
export function spoken(
  call: Call,
  model: Model,
  now: number,
): { method: string; target: string; body: unknown } | undefined {
  let means = true;
  const value = (text: string): unknown => {
    const [, kind = "", name = ""] = /^@([^/]+)\/(.*)$/s.exec(text) ?? [];
    const account = model.accounts.get(name === "me" ? (model.credentials.get(call.by)?.account ?? "") : name);
    switch (kind) {
      case "":
        return text;
      case "password":
        return account?.password ?? "nobody's password";
      case "totp":
      case "recovery": {
        const code = kind === "totp" ? unusedCode(account, model, now) : account?.recovery[0];
        if (code === undefined) means = false;
        return code ?? "";
      }
      case "enrolled": {
        const seed = model.enrolled.get(name === "me" ? call.by : name);
        if (seed === undefined) means = false;
        return seed === undefined ? "" : generateSync({ secret: seed, epoch: Math.floor(now / 1000) });
      }
      case "pending":
        return model.pending.get(name) ?? randomUUID();
      case "receiver":
        return `${model.receiver}/${name}`;
      case "callback":
        return `${model.panel}/api/login/oidc/callback`;
      default:
        return model.things.get(`${kind}/${name}`)?.id ?? NOWHERE;
    }
  };
  const deep = (part: unknown): unknown => {
    if (typeof part === "string") return part.startsWith("@") ? value(part) : part;
    if (Array.isArray(part)) return part.map(deep);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, deep(inner)]));
  };
  const [method = "", path = ""] = call.route.split(" ");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(deep(call.path?.[name] ?? ""))),
  );
  const query = new URLSearchParams(call.query).toString();
  const body = deep(call.body);
  return means ? { method, target: `/api/v1${filled}${query === "" ? "" : `?${query}`}`, body } : undefined;
}

const STEP = 30;

/** A code is accepted once; those of the step before and after the present one count too. */
function unusedCode(account: Account | undefined, model: Model, now: number): string | undefined {
  if (!account || account.seed === "") return undefined;
  const used = model.usedSteps.get(account.name) ?? new Set<number>();
  const step = Math.floor(now / 1000 / STEP);
  const free = [step, step + 1, step - 1].find((each) => !used.has(each));
  if (free === undefined) return undefined;
  model.usedSteps.set(account.name, used.add(free));
  return generateSync({ secret: account.seed, epoch: free * STEP });
}

/** A call as one line, to be read and repeated. */
export const shown = (call: Call): string => JSON.stringify(call);
