// What most tests of single sign-on begin with: a panel that is set up, and a provider of our own that it knows in both
// kinds.
import type { Logger } from "pino";
import type { Dialect } from "../../../src/db/index.ts";
import type { AccessDeps } from "../../../src/access/testing.ts";
import { OidcProviderRows } from "../../../src/access/sso/provider.entity.ts";
import { openAccessPanel, setUp, signIn, PASSWORD, type AccessPanel } from "../panel.ts";
import { Browser, urlOf } from "./browser.ts";
import { OwnProvider } from "./own-provider.ts";

export interface Stage {
  readonly panel: AccessPanel;
  /** Session of the first main admin. */
  readonly root: string;
  readonly provider: OwnProvider;
  /** The provider as OpenID Connect, and as plain OAuth 2.0. */
  readonly oidc: number;
  readonly plain: number;
  /** Makes a provider one from the time when all had one callback, or one of today. */
  share(provider: number, sharedCallback?: boolean): Promise<void>;
  /** A browser in which an account is signed in. */
  signedIn(username?: string): Promise<Browser>;
  /** Links a subject to `root`. */
  linked(subject: string): Promise<void>;
  /** A sign-in from start to landing. `more`: what the provider adds to its answer. */
  landing(provider: number, more?: Readonly<Record<string, string>>): Promise<string>;
  dispose(): Promise<void>;
}

export async function openStage(
  dialect: Dialect,
  given: { readonly log?: Logger } & Pick<AccessDeps, "identityProviders"> = {},
): Promise<Stage> {
  const panel = await openAccessPanel(dialect, given);
  const root = await setUp(panel);
  const provider = await OwnProvider.open(() => panel.clock.now);
  await panel.send("PUT", "/api/settings/webhook_allow_private", { as: root, body: { value: "true" } });
  const add = async (body: object): Promise<number> => {
    const answer = await panel.send("POST", "/api/oidc-providers", {
      as: root,
      body: { clientId: "panel", clientSecret: "hush", ...body },
    });
    if (answer.status !== 200) throw new Error(answer.text);
    return Number(answer.body["id"]);
  };
  const { issuer } = provider;
  const oidc = await add({ name: "Own", kind: "oidc", issuer, scopes: "openid" });
  const endpoints = { authorizationUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/token`, userUrl: `${issuer}/user` };
  const plain = await add({ name: "Plain", kind: "oauth2", ...endpoints });
  const signedIn = async (username = "root"): Promise<Browser> => {
    const browser = new Browser(panel);
    browser.setCookie("panel_session", await signIn(panel, username));
    return browser;
  };
  return {
    panel,
    root,
    provider,
    oidc,
    plain,
    share: async (id, sharedCallback = true) => {
      await panel.database.commits.submit({
        name: "share",
        locks: [],
        decide: (draft) => {
          draft.update(OidcProviderRows, id, { sharedCallback });
        },
      });
    },
    signedIn,
    linked: async (subject) => {
      const browser = await signedIn();
      provider.subject = subject;
      const landing = await browser.back(provider.agree(urlOf(await browser.link(oidc, PASSWORD))));
      if (landing !== "/dashboard?sso=linked") throw new Error(landing);
    },
    landing: async (id, more) => {
      const browser = new Browser(panel);
      return browser.back(provider.agree(urlOf(await browser.start(id)), more));
    },
    dispose: async () => {
      await panel.dispose();
      await provider.close();
    },
  };
}
