// What clients fetch: the answer in their format, after a place for their device, and with a record of the fetch.
import type { IncomingHttpHeaders } from "node:http";
import {
  askedBy,
  deviceClaim,
  type DeviceClaim,
  type DevicePlaces,
  type FetchRecords,
  type Verdict,
} from "../../accounts/index.ts";
import {
  encodedAs,
  encodingFor,
  headOf,
  type Encoding,
  type ProxiedOrigin,
  type ShortAnswer,
} from "../../http/index.ts";
import type { Clock } from "../../lib/clock.ts";
import {
  deviceRefusal,
  isServed,
  packedBody,
  type AnsweringPanel,
  type Asked,
  type AskedFrom,
  type KeptAnswer,
  type KeptAnswers,
} from "./answers.ts";
import type { KnownAccount, KnownAccounts } from "./known-accounts.ts";
import type { Served, ServedInbounds } from "./served-inbounds.ts";
import type { Visitors } from "./visitors.ts";

export interface FetchDeps {
  readonly clock: Clock;
  readonly panel: AnsweringPanel;
  readonly accounts: KnownAccounts<KeptAnswer>;
  /** The account of a key; undefined at once for what can be no key. */
  readonly find: (key: string) => Promise<KnownAccount<KeptAnswer> | undefined> | undefined;
  readonly answers: KeptAnswers;
  readonly served: ServedInbounds;
  readonly places: DevicePlaces;
  readonly fetches: FetchRecords;
  readonly visitors: Visitors;
}

/** A request as far as it decides. */
export interface Parts {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** The client's IP, and the address at which it asked, as a proxy says. */
export interface From {
  readonly ip: string;
  readonly proxied: ProxiedOrigin | undefined;
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

const PLAIN = { "content-type": "text/plain; charset=utf-8" };
/** As to any unknown path. */
export const NOTHING: ShortAnswer = {
  status: 404,
  head: headOf({ "cache-control": "no-store", ...PLAIN }),
  body: "",
  hidden: true,
};

/** `known`: a subscription was fetched from there; who only guesses is not told that there are any. */
export function tooMany(wait: number, known: boolean): ShortAnswer {
  const answer = { status: 429, head: headOf({ "retry-after": String(wait), ...PLAIN }), body: "" };
  return known ? answer : { ...answer, hidden: true };
}

/** Answers at once where all that it takes is in memory, as it is for clients that poll. */
export type AnswerFetch = (parts: Parts, key: string, asked: Asked, from: From) => ShortAnswer | Promise<ShortAnswer>;

/** Answers to all that is fetched but the page. */
export function answerFetches(deps: FetchDeps): AnswerFetch {
  const { clock, panel, accounts, find, answers, served, places, fetches, visitors } = deps;

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
      const { headers } = deviceRefusal(state, verdict, format, askedBy(panel, asking));
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

  return answer;
}

/** The answer with its body in an encoding; as it is where there is none, or none was made. */
function bodied({ head, body }: KeptAnswer, encoding: Encoding | undefined, coded: Buffer | undefined): ShortAnswer {
  if (!encoding || !coded) return { status: 200, head, body: body.bytes() };
  return { status: 200, head: [...head, ...Object.entries(encodedAs(encoding)).flat()], body: coded };
}
