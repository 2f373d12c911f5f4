// Subscriptions over HTTP, outside the API: GET and HEAD of `<sub_basepath>/<key>` and `/<key>/<format>` (rules
// subscriptions.key).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql, type Committer, type Reader, type Row } from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Outbox } from "../runtime/index.ts";
import { deviceClaim } from "./devices/admission.ts";
import { UserDeviceRows } from "./devices/device.entity.ts";
import { devicePlaces, type DevicePlaces } from "./devices/places.ts";
import { choose, ruleTable } from "./subscription/formats.ts";
import { AVAILABLE, deviceRefusal, isServed, serverEntries, subscriptionAnswer } from "./subscription-answer.ts";
import { BodyCache } from "./subscription-bodies.ts";
import { FetchRecords } from "./subscription-fetches.ts";
import { ServedInbounds, type Served, type ServedOptions } from "./subscription-inbounds.ts";
import { packed, subscriptionPage, type Visitor } from "./subscription-page.ts";
import { subscriptionPath, type PublicAddress, type SettingsPort } from "./sub-url.ts";
import { UserRows, UserUsageRows } from "./user.entity.ts";
import type { UserState } from "./user-change.ts";

/** Requests of an address in a minute; the shape of `AddressLimit` in `http`. */
export interface AddressBudget {
  /** Counts a request. Returns 0 when it may pass, else the seconds to wait. */
  take(ip: string): number;
}

export interface SubscriptionDeps extends Pick<ServedOptions, "entryNodes" | "certificateOf"> {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly outbox: Outbox<"user.first_fetch" | "user.device_limit_reached">;
  readonly settings: SettingsPort;
  readonly publicAddress: () => PublicAddress;
  /** 120 a minute. */
  readonly limit: AddressBudget;
  readonly onError: (error: unknown) => void;
}

/** The served subscriptions. */
export interface Subscriptions {
  /**
   * Answers subscription requests before any route of `app` is looked for: the path is a setting and may change at any
   * time.
   */
  register(app: FastifyInstance): void;
  /** What subscriptions list now. */
  served(): Promise<Served>;
  readonly places: Pick<DevicePlaces, "admit">;
  /** Writes the fetch records that are still in memory. */
  stop(): Promise<void>;
}

const KEY = /^[A-Za-z0-9_-]{1,64}$/;

/** The key and format of a path; undefined for a path that is none of ours. `/sub` alone is not. */
export function subscriptionRequest(
  path: string,
  base: string,
): { readonly key: string; readonly format: string } | undefined {
  if (!path.startsWith(`${base}/`)) return undefined;
  const [key = "", format = "", ...more] = path.slice(base.length + 1).split("/");
  return more.length > 0 ? { key: "", format: "" } : { key, format };
}

/** The key and device of `<base>/<key>/devices/<hwid>`; undefined for another path. */
export function deviceRequest(path: string, base: string): { readonly key: string; readonly hwid: string } | undefined {
  if (!path.startsWith(`${base}/`)) return undefined;
  const [key = "", devices, encoded = "", ...more] = path.slice(base.length + 1).split("/");
  if (devices !== "devices" || encoded === "" || encoded.length > 1024 || more.length > 0) return undefined;
  try {
    return { key, hwid: decodeURIComponent(encoded) };
  } catch (error) {
    // Not UTF-8: no device of ours.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * Whether a host name (`host[:port]`) is one of the domains of `sub_domain`; a wildcard matches exactly one label.
 */
export function isSubscriptionDomain(host: string, domains: string): boolean {
  if (domains === "") return false;
  const asked = host
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$|\.$/, "$1");
  return domains
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .some(
      (name) =>
        name === asked ||
        (name.startsWith("*.") && asked.indexOf(".") > 0 && asked.slice(asked.indexOf(".")) === name.slice(1)),
    );
}

/** Whether subscriptions are served under a host name: under every one unless `sub_domain` lists some. */
export function servedUnder(host: string, domains: string): boolean {
  return domains === "" || isSubscriptionDomain(host, domains);
}

export function subscriptionPlugin(deps: SubscriptionDeps): Subscriptions {
  const { reads, commits, clock, outbox, settings, limit, onError } = deps;
  const served = new ServedInbounds({ ...deps, now: () => clock.now() });
  const bodies = new BodyCache();
  const fetches = new FetchRecords({ commits, reads, clock, outbox, onError });
  const rules = ruleTable();
  const places = devicePlaces({
    commits,
    reads,
    outbox,
    strict: () => settings.get("device_limit_strict") === "true",
    now: () => Math.floor(clock.now() / 1000),
  });

  async function find(key: string): Promise<UserState | undefined> {
    if (!KEY.test(key)) return undefined;
    // A token is never guessed: where one account's chosen id equals another's token, the token's owner is meant.
    // One statement for both; what both have is the account's.
    const [found] = await reads.query(
      sql<Row>`select g.*, u.* from users u join user_usage g on g.id = u.id where u.sub_id = ${key} or u.sub_token = ${key}
        order by case when u.sub_token = ${key} then 0 else 1 end limit 1`,
    );
    return found && { row: reads.decode(UserRows, found), usage: reads.decode(UserUsageRows, found) };
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    path: string,
  ): Promise<FastifyReply> {
    const wait = limit.take(request.ip);
    if (wait > 0) return reply.code(429).header("retry-after", String(wait)).send("");
    const userAgent = request.headers["user-agent"] ?? "";
    const choice = choose(
      { path, query: queryFormat(request.url), userAgent, accept: request.headers.accept ?? "" },
      AVAILABLE,
      rules(settings.get("sub_rules")),
    );
    const format = choice?.format;
    const state =
      format && servedUnder(request.headers.host ?? "", settings.get("sub_domain")) ? await find(key) : undefined;
    if (!state || !format) return nothing(reply);
    const now = Math.floor(clock.now() / 1000);
    if (format === "html") return page(request, reply, state, now);
    const claim = deviceClaim(request.headers, request.ip);
    const gets = request.method === "GET";
    // Of an account that is served nothing, there is nothing to hand to any device.
    const verdict = isServed(state, now) ? await places.admit(state.row, claim, gets) : "admitted";
    const made = { settings, publicAddress: deps.publicAddress, bodies };
    const { headers, body, carriesConfigurations } =
      verdict === "admitted"
        ? subscriptionAnswer(
            state,
            await served.current(),
            { format, userAgent, further: choice?.rule?.headers },
            now,
            made,
          )
        : deviceRefusal(state, verdict, format, made);
    const status = verdict === "admitted" ? 200 : 403;
    fetches.note({
      userId: state.row.id,
      taken: carriesConfigurations && gets,
      first: state.row.subFetchedAt === 0,
      client: userAgent,
      ip: request.ip,
      format,
      hwid: claim.hwid,
      device: verdict === "admitted" && gets && claim.hwid !== "" ? claim : undefined,
      status,
    });
    return reply.code(status).headers(headers).send(body);
  }

  /** The page hands nothing to a device, so none needs a place to be shown it (rule subscriptions.page.8). */
  async function page(
    request: FastifyRequest,
    reply: FastifyReply,
    state: UserState,
    now: number,
  ): Promise<FastifyReply> {
    const current = await served.current();
    const { devices = [] } = (await reads.find(UserDeviceRows, state.row.id)) ?? {};
    const answered = subscriptionPage(
      state,
      { entries: () => serverEntries(state.row, current), devices },
      visitorOf(request),
      now,
      deps,
    );
    const { headers, body } = await packed(answered, request.headers["accept-encoding"] ?? "");
    fetches.note({
      userId: state.row.id,
      taken: false,
      first: false,
      client: request.headers["user-agent"] ?? "",
      ip: request.ip,
      format: "html",
      hwid: "",
      device: undefined,
      status: 200,
    });
    return reply.code(200).headers(headers).send(body);
  }

  /** A subscriber frees the place of one of its devices, where the panel allows it. */
  async function forget(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    hwid: string,
  ): Promise<FastifyReply> {
    const wait = limit.take(request.ip);
    if (wait > 0) return reply.code(429).header("retry-after", String(wait)).send("");
    const allowed =
      settings.get("sub_device_self_service") === "true" &&
      servedUnder(request.headers.host ?? "", settings.get("sub_domain"));
    const state = allowed ? await find(key) : undefined;
    if (!state) return nothing(reply);
    return (await places.release(state.row.id, hwid))
      ? reply.code(200).header("cache-control", "no-store").send({ ok: true })
      : nothing(reply);
  }

  return {
    register(app) {
      app.addHook("onRequest", async (request, reply) => {
        const [path = ""] = request.url.split("?");
        const device = request.method === "DELETE" ? deviceRequest(path, subscriptionPath(settings)) : undefined;
        if (device) return forget(request, reply, device.key, device.hwid);
        const asked = ["GET", "HEAD"].includes(request.method)
          ? subscriptionRequest(path, subscriptionPath(settings))
          : undefined;
        // A hook that answered says so by returning the reply.
        return asked ? answer(request, reply, asked.key, asked.format) : undefined;
      });
    },
    served: () => served.current(),
    places,
    async stop() {
      served.stop();
      await fetches.flush();
    },
  };
}

function nothing(reply: FastifyReply): FastifyReply {
  return reply.code(404).header("cache-control", "no-store").send("");
}

function visitorOf(request: FastifyRequest): Visitor {
  const [, query = ""] = request.url.split("?");
  const { "user-agent": userAgent = "", "accept-language": acceptLanguage = "" } = request.headers;
  return { userAgent, acceptLanguage, query };
}

function queryFormat(url: string): string {
  const [, query = ""] = url.split("?");
  return new URLSearchParams(query).get("format") ?? "";
}
