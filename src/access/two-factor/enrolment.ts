// The seed of an unfinished enrolment: sealed in the calling session only, and valid only until the panel restarts
// (rule access.totp.1).
import { sealPlace } from "../../db/index.ts";
import { Refusal, type Caller } from "../../http/index.ts";
import { openSecret, sealSecret, type SealContext, type Sealed } from "../../lib/seal.ts";
import type { Access } from "../access.ts";
import { SessionRows } from "../records/credential.entity.ts";

function enrolmentPlace(sessionId: number): SealContext {
  return sealPlace(SessionRows, "enrolment", sessionId);
}

/** A seed as the calling session's row keeps it. */
export function sealEnrolment({ secretKey }: Pick<Access, "secretKey">, { sessionId }: Caller, seed: string): Sealed {
  return sealSecret(secretKey, seed, enrolmentPlace(sessionId));
}

/**
 * The seed that the calling session is enrolling with, and its stored form. Throws 400 where there is none, or the run
 * of the panel that made it is over.
 */
export async function openEnrolment(
  { reads, runs, secretKey }: Pick<Access, "reads" | "runs" | "secretKey">,
  { sessionId }: Caller,
): Promise<{ readonly sealed: Sealed; readonly seed: string }> {
  const session = await reads.find(SessionRows, sessionId);
  if (!session || session.enrolment === "" || !(await runs.isAlive(session.enrolmentBoot)))
    throw new Refusal("bad_request", {
      message: "no enrolment is under way in this session; begin with POST /api/me/2fa/totp",
    });
  return { sealed: session.enrolment, seed: openSecret(secretKey, session.enrolment, enrolmentPlace(sessionId)) };
}
