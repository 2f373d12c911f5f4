// Subscriptions over HTTP, outside the API: GET and HEAD of `<sub_basepath>/<key>` and `/<key>/<format>` (rules
// subscriptions.key).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Committer, Reader } from "../../db/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Outbox } from "../../runtime/index.ts";
import { deviceClaim, type DeviceClaim } from "../devices/admission.ts";
import { UserDeviceRows } from "../devices/device.entity.ts";
import { devicePlaces, type DevicePlaces, type Verdict } from "../devices/places.ts";
import { choose, ruleTable, type Format } from "../subscription/formats.ts";
import { KnownAccounts, type KnownAccount } from "./subscription-accounts.ts";
import {
  AVAILABLE,
  deviceRefusal,
  isServed,
  KeptAnswers,
  serverEntries,
  type KeptAnswer,
  type SubscriptionAnswer,
} from "./subscription-answer.ts";
import { Documents } from "./subscription-documents.ts";
import { FetchRecords } from "./subscription-fetches.ts";
import { namingOf } from "./subscription-naming.ts";
import { ServedInbounds, type Served, type ServedOptions } from "./subscription-inbounds.ts";
import { packed, subscriptionPage, type Visitor } from "./subscription-page.ts";
import { subscriptionPath, type PublicAddress, type SettingsPort } from "./sub-url.ts";
import type { UserState } from "../users/user-change.ts";

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

/** A request whose format is known. */
interface Asking {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly format: Format;
  readonly userAgent: string;
  /** Headers that the rule of this client adds. */
  readonly further: Readonly<Record<string, string>> | undefined;
  readonly claim: DeviceClaim;
  /** It takes the configurations; HEAD only looks. */
  readonly gets: boolean;
  /** Unix seconds. */
  readonly now: number;
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
  const accounts = new KnownAccounts<KeptAnswer>(reads, commits);
  const made = { settings, publicAddress: deps.publicAddress, documents: new Documents() };
  const answers = new KeptAnswers(made, accounts);
  const fetches = new FetchRecords({ commits, reads, clock, outbox, onError });
  const rules = ruleTable();
  const places = devicePlaces({
    commits,
    reads,
    outbox,
    strict: () => settings.get("device_limit_strict") === "true",
    now: () => Math.floor(clock.now() / 1000),
  });

  const find = (key: string) => (KEY.test(key) ? accounts.find(key) : undefined);

  /**
   * Answers at once where all that it takes is in memory, as it is for clients that poll; else resolves when it has
   * answered.
   */
  function answer(request: FastifyRequest, reply: FastifyReply, key: string, path: string): void | Promise<unknown> {
    const wait = limit.take(request.ip);
    if (wait > 0) return void reply.code(429).header("retry-after", String(wait)).send("");
    const { headers, url } = request;
    const userAgent = headers["user-agent"] ?? "";
    const choice = choose(
      { path, query: queryFormat(url), userAgent, accept: headers.accept ?? "" },
      AVAILABLE,
      rules(settings.get("sub_rules")),
    );
    const format = choice?.format;
    if (!format || !servedUnder(headers.host ?? "", settings.get("sub_domain"))) return nothing(reply);
    const asking: Asking = {
      request,
      reply,
      format,
      userAgent,
      further: choice.rule?.headers,
      claim: deviceClaim(headers, request.ip),
      gets: request.method === "GET",
      now: Math.floor(clock.now() / 1000),
    };
    const known = accounts.get(key);
    const listed = served.ready();
    if (!known || !listed || format === "html") return answerLater(asking, key);
    const verdict = isServed(known.state, asking.now)
      ? places.verdict(known.state.row, asking.claim, known.devices)
      : "admitted";
    return verdict === undefined ? answerLater(asking, key) : send(asking, known, verdict, listed);
  }

  async function answerLater(asking: Asking, key: string): Promise<void> {
    const { request, reply, format, claim, gets, now } = asking;
    const account = await find(key);
    if (!account) return nothing(reply);
    const { state } = account;
    if (format === "html") return page(request, reply, state, now);
    // Of an account that is served nothing, there is nothing to hand to any device.
    const verdict = isServed(state, now)
      ? await places.admit(state.row, claim, gets, () => accounts.devicesOf(account))
      : "admitted";
    send(asking, account, verdict, await served.current());
  }

  function send(asking: Asking, account: KnownAccount<KeptAnswer>, verdict: Verdict, listed: Served): void {
    const { request, reply, format, userAgent, claim, gets, now } = asking;
    const { state } = account;
    const answered: SubscriptionAnswer =
      verdict === "admitted" ? answers.of(account, listed, asking, now) : deviceRefusal(state, verdict, format, made);
    const status = verdict === "admitted" ? 200 : 403;
    fetches.note({
      userId: state.row.id,
      taken: answered.carriesConfigurations && gets,
      first: state.row.subFetchedAt === 0,
      client: userAgent,
      ip: request.ip,
      format,
      hwid: claim.hwid,
      device: verdict === "admitted" && gets && claim.hwid !== "" ? claim : undefined,
      status,
    });
    reply.code(status).headers(answered.headers).send(answered.body.text());
  }

  /** The page hands nothing to a device, so none needs a place to be shown it (rule subscriptions.page.8). */
  async function page(request: FastifyRequest, reply: FastifyReply, state: UserState, now: number): Promise<void> {
    const current = await served.current();
    const { devices = [] } = (await reads.find(UserDeviceRows, state.row.id)) ?? {};
    const answered = subscriptionPage(
      state,
      { entries: () => serverEntries(state.row, current, namingOf(state, settings, now)), devices },
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
    reply.code(200).headers(headers).send(body);
  }

  /** A subscriber frees the place of one of its devices, where the panel allows it. */
  async function forget(request: FastifyRequest, reply: FastifyReply, key: string, hwid: string): Promise<void> {
    const wait = limit.take(request.ip);
    if (wait > 0) return void reply.code(429).header("retry-after", String(wait)).send("");
    const allowed =
      settings.get("sub_device_self_service") === "true" &&
      servedUnder(request.headers.host ?? "", settings.get("sub_domain"));
    const account = allowed ? await find(key) : undefined;
    if (!account || !(await places.release(account.state.row.id, hwid))) return nothing(reply);
    reply.code(200).header("cache-control", "no-store").send({ ok: true });
  }

  return {
    register(app) {
      // Without a promise where none is needed: `proceed` is called only for what is left to the others.
      app.addHook("onRequest", (request, reply, proceed) => {
        const { url, method } = request;
        const query = url.indexOf("?");
        const path = query < 0 ? url : url.slice(0, query);
        const base = subscriptionPath(settings);
        const device = method === "DELETE" ? deviceRequest(path, base) : undefined;
        const asked = method === "GET" || method === "HEAD" ? subscriptionRequest(path, base) : undefined;
        if (device) forget(request, reply, device.key, device.hwid).catch(proceed);
        else if (asked) answer(request, reply, asked.key, asked.format)?.catch(proceed);
        else proceed();
      });
    },
    served: () => served.current(),
    places,
    async stop() {
      served.stop();
      accounts.stop();
      await fetches.flush();
    },
  };
}

function nothing(reply: FastifyReply): void {
  reply.code(404).header("cache-control", "no-store").send("");
}

function visitorOf(request: FastifyRequest): Visitor {
  const [, query = ""] = request.url.split("?");
  const { "user-agent": userAgent = "", "accept-language": acceptLanguage = "" } = request.headers;
  return { userAgent, acceptLanguage, query };
}

function queryFormat(url: string): string {
  const [, query = ""] = url.split("?");
  if (query === "") return "";
  return new URLSearchParams(query).get("format") ?? "";
}
