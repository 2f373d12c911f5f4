// Whether an identity provider could serve a sign-in now (rule access.sso.13): each thing that it needs is looked at on
// its own, so that an operator sees what is wrong before the first person does. No secret is sent. Of what the
// provider says nothing is repeated but the hosts that it names.
import { z } from "zod";
import { checkTarget, OutgoingError, type OutgoingResponse } from "../../outgoing/index.ts";
import { MAX_ANSWER } from "./provider-answers.ts";
import type { ProviderNetwork } from "./identity-provider.ts";
import type { OidcProviderRow } from "./provider.entity.ts";

export const PROVIDER_CHECKS = ["discovery", "issuer", "keys", "authorization", "token", "user", "redirect"] as const;
export const PROVIDER_FINDINGS = [
  "fine",
  "address_refused",
  "unreachable",
  "status",
  "no_json",
  "other_issuer",
  "no_keys",
  "missing",
  "plain_http",
  "not_looked_at",
] as const;
type CheckName = (typeof PROVIDER_CHECKS)[number];
type Finding = (typeof PROVIDER_FINDINGS)[number];

/** What came of one look. `values`: what goes with the code, such as an address or a status. */
export interface ProviderCheck {
  readonly check: CheckName;
  readonly ok: boolean;
  readonly code: Finding;
  readonly values: string[];
  readonly text: string;
}

const TEXTS: Readonly<Record<Finding, (values: readonly string[]) => string>> = {
  fine: ([address = ""]) => address,
  address_refused: ([reason = ""]) => `the address is refused: ${reason}`,
  unreachable: ([address = "", reason = ""]) => `${address} does not answer: ${reason}`,
  status: ([address = "", status = ""]) => `${address} answered ${status}`,
  no_json: ([address = ""]) => `${address} did not answer with a JSON document`,
  other_issuer: ([issuer = ""]) => `the document is not that of ${issuer}`,
  no_keys: ([address = ""]) => `${address} has no key that signs`,
  missing: ([name = ""]) => `the document does not name ${name}`,
  plain_http: ([address = ""]) => `${address} is not https: many providers refuse it`,
  not_looked_at: () => "depends on what failed above",
};

const found = (check: CheckName, code: Finding, ...values: string[]): ProviderCheck => ({
  check,
  ok: code === "fine",
  code,
  values,
  text: TEXTS[code](values),
});

const Document = z.looseObject({
  issuer: z.string().optional(),
  jwks_uri: z.string().optional(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
});
const Keys = z.object({
  keys: z.array(z.looseObject({ kty: z.string().optional(), use: z.string().optional() })),
});

type Network = Pick<ProviderNetwork, "fetch" | "allowPrivate" | "timeout">;

/** Looks at everything that a sign-in needs. `redirectUri`: the callback that pages of this panel name. */
export async function checkProvider(
  row: Readonly<OidcProviderRow>,
  network: Network,
  redirectUri: string,
): Promise<ProviderCheck[]> {
  const looks = row.kind === "oidc" ? openIdLooks(row, network) : plainLooks(row, network);
  return [...(await looks), redirectLook(redirectUri)];
}

async function openIdLooks({ issuer }: Readonly<OidcProviderRow>, network: Network): Promise<ProviderCheck[]> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const got = await jsonAt(network, address);
  const document = "body" in got ? Document.safeParse(got.body) : undefined;
  if ("code" in got || document?.success !== true) {
    const failed = "code" in got ? found("discovery", got.code, ...got.values) : found("discovery", "no_json", address);
    const rest = ["issuer", "keys", "authorization", "token"] as const;
    return [failed, ...rest.map((check) => found(check, "not_looked_at"))];
  }
  const { data } = document;
  const [keys, authorization, token] = await Promise.all([
    keysLook(network, data.jwks_uri),
    targetLook(network, "authorization", data.authorization_endpoint, { name: "authorization_endpoint", show: hostOf }),
    targetLook(network, "token", data.token_endpoint, { name: "token_endpoint", show: hostOf }),
  ]);
  const same = data.issuer !== undefined && hrefOf(data.issuer) === hrefOf(issuer);
  return [
    found("discovery", "fine", address),
    same ? found("issuer", "fine", issuer) : found("issuer", "other_issuer", issuer),
    keys,
    authorization,
    token,
  ];
}

/** A provider without a document: what its endpoints say without a person is their own matter, so they must answer. */
function plainLooks(row: Readonly<OidcProviderRow>, network: Network): Promise<ProviderCheck[]> {
  return Promise.all([
    targetLook(network, "authorization", row.authorizationUrl, { name: "authorizationUrl", show: (own) => own }),
    answerLook(network, "token", row.tokenUrl),
    answerLook(network, "user", row.userUrl),
  ]);
}

async function keysLook(network: Network, address: string | undefined): Promise<ProviderCheck> {
  if (address === undefined) return found("keys", "missing", "jwks_uri");
  const got = await jsonAt(network, address, hostOf);
  if ("code" in got) return found("keys", got.code, ...got.values);
  const keys = Keys.safeParse(got.body);
  const signs = keys.success && keys.data.keys.some(({ kty, use }) => kty !== "oct" && use !== "enc");
  return found("keys", signs ? "fine" : "no_keys", hostOf(address));
}

/** An address that a browser, or a request with a secret, is sent to: whether it may be. */
async function targetLook(
  { allowPrivate }: Network,
  check: CheckName,
  address: string | undefined,
  { name, show }: { readonly name: string; readonly show: (address: string) => string },
): Promise<ProviderCheck> {
  if (address === undefined || address === "") return found(check, "missing", name);
  try {
    await checkTarget(address, allowPrivate());
    return found(check, "fine", show(address));
  } catch (error) {
    if (error instanceof OutgoingError) return found(check, "address_refused", error.message);
    throw error;
  }
}

async function answerLook(network: Network, check: CheckName, address: string): Promise<ProviderCheck> {
  const got = await asked(network, address);
  return "code" in got ? found(check, got.code, ...got.values) : found(check, "fine", address);
}

interface Failed {
  readonly code: Finding;
  readonly values: string[];
}

async function asked(
  { fetch, allowPrivate, timeout }: Network,
  url: string,
  show = (address: string) => address,
): Promise<OutgoingResponse | Failed> {
  const headers = { accept: "application/json", "user-agent": "panel" };
  try {
    return await fetch({ url, headers, allowPrivate: allowPrivate(), timeout, maxBytes: MAX_ANSWER });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const refused = ["url", "https", "credentials", "private"].includes(error.reason);
    return refused
      ? { code: "address_refused", values: [error.message] }
      : { code: "unreachable", values: [show(url), error.message] };
  }
}

/** `show`: what is told of the address. */
async function jsonAt(
  network: Network,
  url: string,
  show = (address: string) => address,
): Promise<{ readonly body: unknown } | Failed> {
  const got = await asked(network, url, show);
  if ("code" in got) return got;
  if (got.status !== 200) return { code: "status", values: [show(url), String(got.status)] };
  try {
    return { body: JSON.parse(got.body.toString("utf8")) };
  } catch {
    // What it said instead is not told.
    return { code: "no_json", values: [show(url)] };
  }
}

function redirectLook(address: string): ProviderCheck {
  const { protocol, hostname } = new URL(address);
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return found("redirect", protocol === "https:" || local ? "fine" : "plain_http", address);
}

/** Scheme and host: what follows is the provider's own text. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : "";
}

function hrefOf(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}
