// A real OpenID Connect provider (oidc-provider) on loopback. It signs every visitor in as `person` and agrees to
// everything.
import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface RealProvider {
  readonly issuer: string;
  /** The person at the browser. */
  person: string;
  close(): Promise<void>;
}

export const CLIENT = { id: "signalbox", secret: "a-secret-of-the-client" };

/** The callbacks of a panel's first providers, to be registered before there are any. */
export function callbacksBelow(shared: string): string[] {
  return Array.from({ length: 8 }, (_, index) => `${shared}/${index + 1}`);
}

export async function openRealProvider(redirectUris: readonly string[]): Promise<RealProvider> {
  const server = createServer();
  const issuer = await listening(server);
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        id_token_signed_response_alg: "RS256",
      },
    ],
    claims: { openid: ["sub"], email: ["email"] },
    cookies: { keys: ["a key"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: `${accountId}@example.com` }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" })] },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
  });
  const real: RealProvider = {
    issuer,
    person: "alice",
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const protocol = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) {
      protocol(request, response);
      return;
    }
    const answer = async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      if (prompt.name === "login")
        return provider.interactionFinished(request, response, { login: { accountId: real.person } });
      const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id });
      grant.addOIDCScope("openid email");
      return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return real;
}

/** Listens on a free port of loopback; resolves to the address. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/**
 * Lets a browser without cookies go through the provider's pages; resolves to the address of the panel that it is sent
 * back to.
 */
export async function throughProvider(url: string, back: string): Promise<string> {
  const jar = new Map<string, string>();
  let at = url;
  for (let hop = 0; hop < 12; hop++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at).href;
    if (at.startsWith(back)) return at;
  }
  throw new Error("the provider never sent the browser back");
}
