// First-run setup over HTTP, as any client does it: setup, the restart of the panel by itself, login, a token. Every
// test that needs a real panel set up does it here.
import { z } from "zod";
import { Api } from "./api.ts";

export const OWNER = { username: "root", password: "correct horse battery" } as const;

const Token = z.object({ id: z.number(), token: z.string() });

export interface SetUpOptions {
  readonly setupToken: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What the token is for. */
  readonly desc: string;
  /** Resolves when the restart is over, where that can be seen sooner than by asking once more when told to. */
  readonly restarted?: () => Promise<unknown>;
}

/** Finishes setup. What comes during the restart is answered 503, and sent again as the answer says. */
export async function setUpPanel(url: string, options: SetUpOptions): Promise<z.output<typeof Token>> {
  const settings = { web_tls_mode: "none", ...options.settings };
  await new Api(url).ok("POST", `/setup?t=${options.setupToken}`, { ...OWNER, settings });
  await options.restarted?.();
  const session = await logIn(url);
  return Token.parse(await session.ok("POST", "/tokens", { desc: options.desc, rateLimit: 1_000_000 }));
}

/** The API with a session of the owner, for what no token may do. */
export async function logIn(url: string): Promise<Api> {
  const { headers } = await new Api(url).done("POST", "/login", OWNER);
  return new Api(url, { cookie: headers.get("set-cookie")?.split(";")[0] ?? "" });
}
