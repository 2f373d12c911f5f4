// Whether first-run setup is pending, and its token: kept in the settings until used (rules setup.pending).
import { createHash, timingSafeEqual } from "node:crypto";
import { lock, sql, type Committer, type Reader } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { alphanumeric } from "../../lib/ids.ts";
import { systemOrigin } from "../../lib/origin.ts";
import { SettingRows, writeSetting, type Settings, type WriteDeps } from "../../system/index.ts";
import type { LoginGuard } from "../login/login-guard.ts";

export const SETUP_TOKEN = "setup_token";

/**
 * A token that somebody chose is guessed at by everybody who reaches the port; the panel's own have 32 of 62
 * characters.
 */
const CHOSEN_LENGTH = 20;

/** Whether setup was finished. */
export async function hasAdmin(reads: Reader): Promise<boolean> {
  const rows = await reads.query(sql`select 1 as found from admins limit 1`);
  return rows.length > 0;
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export interface SetupDeps extends Pick<WriteDeps, "outbox" | "secretKey" | "privatePlaces"> {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly settings: Settings<typeof SETUP_TOKEN>;
  readonly env: {
    /** SIGNALBOX_SETUP_TOKEN. */
    readonly setupToken?: string | undefined;
  };
}

export class SetupState {
  readonly #deps: SetupDeps;
  readonly #guard: LoginGuard;
  /** Once false it stays false: the last main admin cannot be deleted. */
  #pending = true;

  /** Tokens by which the panel asks itself whether it is reached somewhere; they open nothing. */
  readonly #asked = new Map<string, "sent" | "arrived">();

  private constructor(deps: SetupDeps, guard: LoginGuard) {
    this.#deps = deps;
    this.#guard = guard;
  }

  /**
   * Makes the token where setup is pending and there is none. SIGNALBOX_SETUP_TOKEN wins over a stored one; throws a
   * sentence where that is too short.
   */
  static async open(deps: SetupDeps, guard: LoginGuard): Promise<SetupState> {
    const setup = new SetupState(deps, guard);
    if (!(await setup.isPending())) return setup;
    const chosen = deps.env.setupToken;
    if (chosen !== undefined && chosen.length < CHOSEN_LENGTH)
      throw new Error(`SIGNALBOX_SETUP_TOKEN: must have at least ${CHOSEN_LENGTH} characters`);
    const fresh = alphanumeric(32);
    await deps.commits.submit({
      name: "setup.token",
      locks: [lock(SettingRows, SETUP_TOKEN)],
      decide(draft) {
        if (draft.find(SettingRows, SETUP_TOKEN) && chosen === undefined) return;
        writeSetting(draft, deps, { key: SETUP_TOKEN, value: chosen ?? fresh, origin: systemOrigin("setup") });
      },
    });
    return setup;
  }

  /** While pending the database is asked: another process may have finished. */
  async isPending(): Promise<boolean> {
    if (this.#pending && (await hasAdmin(this.#deps.reads))) this.#pending = false;
    return this.#pending;
  }

  /**
   * Whether a request that `send` makes with a token arrives at this panel, wherever it went. What is answered does not
   * matter: it may come from anybody.
   */
  async arrives(
    send: (token: string) => Promise<void>,
  ): Promise<{ readonly reached: boolean; readonly error: string }> {
    const token = alphanumeric(32);
    this.#asked.set(token, "sent");
    const reached = () => this.#asked.get(token) === "arrived";
    try {
      await send(token);
      return { reached: reached(), error: "" };
    } catch (error) {
      return { reached: reached(), error: error instanceof Error ? error.message : String(error) };
    } finally {
      this.#asked.delete(token);
    }
  }

  /** The setup token, for the line that the panel prints; undefined once setup is finished. */
  async token(): Promise<string | undefined> {
    if (!(await this.isPending())) return undefined;
    return this.#deps.settings.text(SETUP_TOKEN);
  }

  /**
   * The HTTP port of this name: while pending everything is 404 without the token; a wrong one counts as a refused
   * attempt.
   */
  async admit(given: string | undefined, ip: string): Promise<void> {
    if (!(await this.isPending())) return;
    if (given === undefined) throw new Refusal("not_found");
    if (this.#asked.has(given)) {
      this.#asked.set(given, "arrived");
      throw new Refusal("not_found");
    }
    // In its source's turn: the next one is looked at only once this one was counted.
    await this.#guard.attempt(ip, async () => {
      const token = this.#deps.settings.text(SETUP_TOKEN);
      if (token !== "" && sameText(given, token)) return;
      await this.#guard.refused({ ip, reason: "wrong setup token" });
      throw new Refusal("not_found");
    });
  }
}
