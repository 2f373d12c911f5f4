// Subscriptions over HTTP, outside the API: GET and HEAD of `<sub_basepath>/<key>` and `/<key>/<format>` (rules
// subscriptions.key).
//
// What is answered is decided once, for whoever asks: the listener, which has most requests answered before the
// framework sees them (`shortcut`), and the framework's hook, for all others and for the page.
import {
  FetchRecords,
  UserDeviceRows,
  askedBy,
  deviceClaim,
  devicePlaces,
  deviceRequest,
  isServedHost,
  pathOf,
  queryFormat,
  subscriptionPath,
  subscriptionRequest,
  type DeviceClaim,
  type DeviceHandles,
  type DevicePlaces,
  type LinkPlace,
  type Verdict,
} from "../../accounts/index.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Committer, Reader } from "../../db/index.ts";
import {
  encodedAs,
  encodingFor,
  headOf,
  sendShort,
  type Encoding,
  type ProxiedOrigin,
  type ShortAnswer,
  type Shortcut,
} from "../../http/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { headerText } from "../../lib/header-text.ts";
import type { Outbox } from "../../runtime/index.ts";
import type { Subscriber } from "./subscriber.ts";
import { KnownAccounts, type KnownAccount } from "./known-accounts.ts";
import {
  deviceRefusal,
  isServed,
  KeptAnswers,
  packedBody,
  serverEntries,
  type Asked,
  type AskedFrom,
  type KeptAnswer,
} from "./answers.ts";
import { Decisions } from "./format-decisions.ts";
import { Documents } from "./kept-documents.ts";
import { namingOf } from "./naming.ts";
import { ServedInbounds, type Served, type ServedOptions } from "./served-inbounds.ts";
import { linkPreview, packed, shownDevices, subscriptionPage, type Visitor } from "./page-answer.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";
import { Visitors } from "./visitors.ts";

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
  readonly settings: SubscriptionSettings;
  readonly publicAddress: LinkPlace["publicAddress"];
  readonly deviceHandles: DeviceHandles;
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
  owns(method: string, url: string): boolean;
  readonly shortcut: Shortcut;
  /** What subscriptions list now. */
  served(): Promise<Served>;
  readonly places: Pick<DevicePlaces, "admit">;
  /** Writes the fetch records that are still in memory. */
  stop(): Promise<void>;
}

/** A request for a subscription. */
interface Asking extends AskedFrom {
  readonly key: string;
  readonly ip: string;
  readonly claim: DeviceClaim;
  /** In which the body is taken; HEAD tells the length of what goes to everybody. */
  readonly encoding: Encoding | undefined;
  /** It takes the configurations; HEAD only looks. */
  readonly gets: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/** A request as far as it decides. */
interface Parts {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** The client's IP, and the address at which it asked, as a proxy says. */
interface From {
  readonly ip: string;
  readonly proxied: ProxiedOrigin | undefined;
}

/** Characters of a header that are compared with every rule. No client has more to say. */
const TOLD = 512;
const KEY = /^[A-Za-z0-9_-]{1,64}$/;
const PLAIN = { "content-type": "text/plain; charset=utf-8" };
/** As to any unknown path. */
const NOTHING: ShortAnswer = {
  status: 404,
  head: headOf({ "cache-control": "no-store", ...PLAIN }),
  body: "",
  hidden: true,
};

/** `known`: a subscription was fetched from there; who only guesses is not told that there are any. */
function tooMany(wait: number, known: boolean): ShortAnswer {
  const answer = { status: 429, head: headOf({ "retry-after": String(wait), ...PLAIN }), body: "" };
  return known ? answer : { ...answer, hidden: true };
}

export function subscriptionPlugin(deps: SubscriptionDeps): Subscriptions {
  const { reads, commits, clock, outbox, settings, limit, deviceHandles, onError } = deps;
  const served = new ServedInbounds({ ...deps, now: () => clock.now() });
  const accounts = new KnownAccounts<KeptAnswer>(reads, commits);
  const made = { settings, publicAddress: deps.publicAddress, documents: new Documents() };
  const answers = new KeptAnswers(made, accounts);
  const fetches = new FetchRecords({ commits, reads, clock, outbox, onError });
  const decisions = new Decisions(settings);
  const places = devicePlaces({
    commits,
    reads,
    outbox,
    strict: () => settings.get("device_limit_strict") === "true",
    now: () => Math.floor(clock.now() / 1000),
  });
  /** Requests that were counted and could not be answered: they are not counted again by who answers them then. */
  const counted = new WeakSet<object>();

  /** Addresses that subscriptions were fetched from lately. */
  const visitors = new Visitors(() => clock.now());

  const find = (key: string) => (KEY.test(key) ? accounts.find(key) : undefined);

  /** The key that a request asks for, and what it is to be answered with; undefined: its path is none of ours. */
  function read({ url, headers }: Parts): { readonly key: string; readonly asked: Asked | undefined } | undefined {
    const found = subscriptionRequest(pathOf(url), subscriptionPath(settings));
    if (!found) return undefined;
    const asked = decisions.of({
      path: found.format,
      query: queryFormat(url),
      userAgent: headerText(headers["user-agent"] ?? "").slice(0, TOLD),
      accept: (headers.accept ?? "").slice(0, TOLD),
    });
    const isHere = isServedHost(headers.host ?? "", settings);
    return { key: found.key, asked: isHere ? asked : undefined };
  }

  function isOurs(url: string): boolean {
    const path = pathOf(url);
    // No key has a `%`, and whether one begins an escape is the framework's to say: to others it answers otherwise.
    return !path.includes("%") && subscriptionRequest(path, subscriptionPath(settings)) !== undefined;
  }

  /** Counts a request; the answer to one too many. */
  function count(headers: IncomingHttpHeaders, ip: string): ShortAnswer | undefined {
    const wait = counted.has(headers) ? 0 : limit.take(ip);
    return wait > 0 ? tooMany(wait, visitors.has(ip)) : undefined;
  }

  /** At once where all that it takes is in memory, as it is for clients that poll. */
  function answer(
    { headers, method }: Parts,
    key: string,
    asked: Asked,
    { ip, proxied }: From,
  ): ShortAnswer | Promise<ShortAnswer> {
    const asking: Asking = {
      ...asked,
      key,
      ip,
      proxied,
      claim: deviceClaim(headers, ip),
      encoding: method === "GET" ? encodingFor(headers["accept-encoding"]) : undefined,
      gets: method === "GET",
      now: Math.floor(clock.now() / 1000),
    };
    const known = accounts.get(key);
    const listed = served.ready();
    if (!known || !listed) return answerLater(asking);
    const verdict = isServed(known.state, asking.now)
      ? places.verdict(known.state.row, asking.claim, known.devices)
      : "admitted";
    return verdict === undefined ? answerLater(asking) : answered(asking, known, verdict, listed);
  }

  async function answerLater(asking: Asking): Promise<ShortAnswer> {
    const { key, claim, gets, now } = asking;
    const account = await find(key);
    if (!account) return NOTHING;
    const { state } = account;
    // An account that is served nothing has nothing to hand to any device.
    const verdict = isServed(state, now)
      ? await places.admit(state.row, claim, gets, () => accounts.devicesOf(account))
      : "admitted";
    return answered(asking, account, verdict, served.ready() ?? (await served.current()));
  }

  function answered(
    asking: Asking,
    account: KnownAccount<KeptAnswer>,
    verdict: Verdict,
    listed: Served,
  ): ShortAnswer | Promise<ShortAnswer> {
    const { encoding, format, userAgent, claim, gets, ip, now } = asking;
    const { state } = account;
    visitors.add(ip);
    const record = (status: number, taken: boolean): void =>
      fetches.note({
        userId: state.row.id,
        taken,
        first: state.row.subFetchedAt === 0,
        client: userAgent,
        ip,
        format,
        hwid: claim.hwid,
        device: status === 200 && gets && claim.hwid !== "" ? claim : undefined,
        status,
      });
    if (verdict !== "admitted") {
      const { headers } = deviceRefusal(state, verdict, format, askedBy(made, asking));
      record(403, false);
      return { status: 403, head: headOf(headers), body: "" };
    }
    const kept = answers.of(account, listed, asking, now);
    record(200, gets && kept.carriesConfigurations);
    const coded = encoding && packedBody(kept, encoding, accounts);
    return coded instanceof Promise
      ? coded.then((bytes) => bodied(kept, encoding, bytes))
      : bodied(kept, encoding, coded);
  }

  /** The page hands nothing to a device, so none needs a place to be shown it (rule subscriptions.page.8). */
  async function page(request: FastifyRequest, reply: FastifyReply, state: Subscriber, now: number): Promise<void> {
    const current = await served.current();
    const { devices = [] } = (await reads.find(UserDeviceRows, state.row.id)) ?? {};
    const shown = subscriptionPage(
      state,
      {
        entries: () => serverEntries(state.row, current, namingOf(state, settings, now)),
        devices: shownDevices(devices, state.row.id, deviceHandles),
      },
      visitorOf(request),
      now,
      askedBy(deps, request),
    );
    noteSeen(request, state);
    const { headers, body } = await packed(shown, request.headers["accept-encoding"] ?? "");
    reply.code(200).headers(headers).send(body);
  }

  /** What messengers and crawlers get: nothing of the account (rule subscriptions.fetch.5). */
  function preview(request: FastifyRequest, reply: FastifyReply, state: Subscriber): void {
    noteSeen(request, state);
    const { headers, body } = linkPreview(settings);
    reply.code(200).headers(headers).send(body);
  }

  /** The page was looked at: nothing was fetched. */
  function noteSeen({ headers, ip }: FastifyRequest, { row: { id } }: Subscriber): void {
    const client = headerText(headers["user-agent"] ?? "");
    const seen = { taken: false, first: false, format: "html", hwid: "", device: undefined, status: 200 };
    fetches.note({ userId: id, client, ip, ...seen });
  }

  /** A subscriber frees the place of one of its devices, where the panel allows it: by its handle, or by its id. */
  async function forget(request: FastifyRequest, reply: FastifyReply, key: string, device: string): Promise<void> {
    const wait = limit.take(request.ip);
    if (wait > 0) return sendShort(request, reply, tooMany(wait, visitors.has(request.ip)));
    const allowed =
      settings.get("sub_device_self_service") === "true" && isServedHost(request.headers.host ?? "", settings);
    const account = allowed ? await find(key) : undefined;
    if (!account) return sendShort(request, reply, NOTHING);
    const { id } = account.state.row;
    const { devices = [] } = (await reads.find(UserDeviceRows, id)) ?? {};
    const meant = devices.find(({ hwid }) => deviceHandles.of(id, hwid) === device);
    if (!(await places.release(id, meant?.hwid ?? device))) return sendShort(request, reply, NOTHING);
    reply.code(200).header("cache-control", "no-store").send({ ok: true });
  }

  /** What the framework's hook answers. */
  async function answerRequest(request: FastifyRequest, reply: FastifyReply, key: string, asked: Asked | undefined) {
    const { headers, ip } = request;
    const refused = count(headers, ip);
    if (refused || !asked) return sendShort(request, reply, refused ?? NOTHING);
    if (asked.format !== "html") return sendShort(request, reply, await answer(request, key, asked, request));
    const account = await find(key);
    if (!account) return sendShort(request, reply, NOTHING);
    if (asked.previews) return preview(request, reply, account.state);
    visitors.add(ip);
    return page(request, reply, account.state, Math.floor(clock.now() / 1000));
  }

  return {
    register(app) {
      // `proceed` is called only for what is left to the others.
      app.addHook("onRequest", (request, reply, proceed) => {
        const { url, method } = request;
        const device = method === "DELETE" ? deviceRequest(pathOf(url), subscriptionPath(settings)) : undefined;
        const found = method === "GET" || method === "HEAD" ? read(request) : undefined;
        if (device) forget(request, reply, device.key, device.device).catch(proceed);
        else if (found) answerRequest(request, reply, found.key, found.asked).catch(proceed);
        else proceed();
      });
    },
    owns(method, url) {
      if (method === "GET" || method === "HEAD") return isOurs(url);
      return method === "DELETE" && deviceRequest(pathOf(url), subscriptionPath(settings)) !== undefined;
    },
    shortcut: {
      takes: isOurs,
      answer(request) {
        const found = read(request);
        if (!found || found.asked?.format === "html") return undefined;
        const ip = request.ip();
        const refused = count(request.headers, ip);
        if (refused || !found.asked) return refused ?? NOTHING;
        const answering = answer(request, found.key, found.asked, { ip, proxied: request.proxied() });
        if (!(answering instanceof Promise)) return answering;
        return answering.catch((error: unknown) => {
          counted.add(request.headers);
          throw error;
        });
      },
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

/** The answer with its body in an encoding; as it is where there is none, or none was made. */
function bodied({ head, body }: KeptAnswer, encoding: Encoding | undefined, coded: Buffer | undefined): ShortAnswer {
  if (!encoding || !coded) return { status: 200, head, body: body.bytes() };
  return { status: 200, head: [...head, ...Object.entries(encodedAs(encoding)).flat()], body: coded };
}

function visitorOf(request: FastifyRequest): Visitor {
  const [, query = ""] = request.url.split("?");
  const { "user-agent": userAgent = "", "accept-language": acceptLanguage = "" } = request.headers;
  return { userAgent: headerText(userAgent).slice(0, TOLD), acceptLanguage, query };
}
