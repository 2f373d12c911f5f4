// Subscriptions over HTTP, outside the API: GET and HEAD of `<sub_basepath>/<key>` and `/<key>/<format>` (rules
// subscriptions.key).
//
// What is answered is decided once, for whoever asks: the listener, which has most requests answered before the
// framework sees them (`shortcut`), and the framework's hook, for all others and for the page.
import {
  FetchRecords,
  UserDeviceRows,
  askedBy,
  devicePlaces,
  deviceRequest,
  isServedHost,
  pathOf,
  queryFormat,
  subscriptionPath,
  subscriptionRequest,
  type DeviceHandles,
  type DevicePlaces,
  type LinkPlace,
} from "../../accounts/index.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Committer, Reader } from "../../db/index.ts";
import { sendShort, type ShortAnswer, type Shortcut } from "../../http/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { headerText } from "../../lib/header-text.ts";
import type { Outbox } from "../../runtime/index.ts";
import type { Subscriber } from "./subscriber.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { KeptAnswers, serverEntries, type Asked, type KeptAnswer } from "./answers.ts";
import { answerFetches, NOTHING, tooMany, type Parts } from "./fetches.ts";
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

/** Characters of a header that are compared with every rule. No client has more to say. */
const TOLD = 512;
const KEY = /^[A-Za-z0-9_-]{1,64}$/;

export function subscriptionPlugin(deps: SubscriptionDeps): Subscriptions {
  const { reads, commits, clock, outbox, settings, limit, deviceHandles, onError } = deps;
  const served = new ServedInbounds({ ...deps, now: () => clock.now() });
  const accounts = new KnownAccounts<KeptAnswer>(reads, commits);
  const panel = { settings, publicAddress: deps.publicAddress };
  const answers = new KeptAnswers({ ...panel, documents: new Documents() }, accounts);
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
  const answer = answerFetches({ clock, panel, accounts, find, answers, served, places, fetches, visitors });

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

function visitorOf(request: FastifyRequest): Visitor {
  const [, query = ""] = request.url.split("?");
  const { "user-agent": userAgent = "", "accept-language": acceptLanguage = "" } = request.headers;
  return { userAgent: headerText(userAgent).slice(0, TOLD), acceptLanguage, query };
}
