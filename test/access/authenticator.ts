// An authenticator app for tests, and an account that switches two-factor on with it.
import { generateSync } from "otplib";
import type { AccessPanel } from "./panel.ts";

const STEP = 30_000;

export class Authenticator {
  readonly secret: string;
  readonly #clock: { now: number };

  constructor(secret: string, clock: { now: number }) {
    this.secret = secret;
    this.#clock = clock;
  }

  /** The code that it shows, or showed some steps ago. */
  code(steps = 0): string {
    return generateSync({ secret: this.secret, epoch: Math.floor((this.#clock.now + steps * STEP) / 1000) });
  }

  /** A code that was not used: moves the clock on by a step. */
  next(): string {
    this.#clock.now += STEP;
    return this.code();
  }
}

export interface Enrolled {
  readonly device: Authenticator;
  readonly recoveryCodes: readonly string[];
}

/** Switches two-factor on for the account of a session. */
export async function enrol(panel: AccessPanel, session: string): Promise<Enrolled> {
  const begun = await panel.send("POST", "/api/me/2fa/totp", { as: session });
  if (begun.status !== 200) throw new Error(`enrolment: ${begun.text}`);
  const device = new Authenticator(String(begun.body["secret"]), panel.clock);
  const confirmed = await panel.send("POST", "/api/me/2fa/totp/confirm", {
    as: session,
    body: { code: device.next() },
  });
  if (confirmed.status !== 200) throw new Error(`enrolment: ${confirmed.text}`);
  return { device, recoveryCodes: confirmed.body["recoveryCodes"] as string[] };
}

/** Switches it off again. */
export async function disenrol(panel: AccessPanel, session: string, { device }: Enrolled): Promise<void> {
  const answer = await panel.send("DELETE", "/api/me/2fa", { as: session, body: { code: device.next() } });
  if (answer.status !== 200) throw new Error(`switching off: ${answer.text}`);
}
