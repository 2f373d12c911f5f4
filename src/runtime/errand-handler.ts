// Runs the handler of an errand: with its log, its secrets and a place that it can lend.
//
// Invariant: nothing that leaves the handler (a line, a result, an error) has a secret of its actor in it. Rows, lines
// and logs are made of what leaves it.
import { EffectRefused, type EffectRun, type Errand, type ErrandRun } from "./definition.ts";
import { linesOf, OUTPUT, type ErrandLog, type LineValue } from "./errand-log.ts";
import { SecretLost, type SecretsReader } from "./errand-secrets.ts";
import type { Place } from "./lent-place.ts";
import { EffectFailure, messageOf } from "./problems.ts";

/** What a remote program says without ending its line is written once it is so long. */
const UNENDED_LENGTH = 10_000;

export interface ErrandParts {
  readonly log: ErrandLog;
  /** Undefined: the errand asks for none. */
  readonly secrets: SecretsReader | undefined;
  readonly place: Place;
}

export async function runErrand(
  handler: Errand,
  input: unknown,
  run: EffectRun,
  { log, secrets, place }: ErrandParts,
): Promise<unknown> {
  const { kind, actorId, signal } = run;
  const shown = (text: string) => secrets?.redact(text) ?? text;
  let unended = "";
  // The text and each of its lines are looked at: a secret may stand there only once what moves a cursor is out.
  const write = (text: string) => {
    for (const line of linesOf(shown(text)))
      log.add(kind, actorId, { level: "info", code: OUTPUT, values: [], text: shown(line) });
  };
  const writeRest = () => {
    const rest = unended;
    unended = "";
    write(rest);
  };
  const given: ErrandRun = {
    ...run,
    secrets,
    lend: (wait) => place.lend(signal, wait),
    log: (level, code, ...values) => {
      writeRest();
      log.add(kind, actorId, { level, code, values: shownValues(values, shown), text: "" });
    },
    print: (text) => {
      const said = unended + text;
      const end = said.length > UNENDED_LENGTH ? said.length : endOfLines(said);
      unended = said.slice(end);
      write(said.slice(0, end));
    },
  };
  try {
    const output = await handler.run(input, given);
    return secrets ? redacted(output, shown) : output;
  } catch (error) {
    throw secrets ? redactedError(error, shown) : error;
  } finally {
    writeRest();
  }
}

/** Where the last line ends that has an end. */
function endOfLines(text: string): number {
  return Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
}

/** A result as it is written, without secrets. */
function redacted(output: unknown, shown: (text: string) => string): unknown {
  if (output === undefined) return undefined;
  const written: unknown = JSON.parse(JSON.stringify(output) ?? "null", (_, value: unknown) =>
    typeof value === "string" ? shown(value) : value,
  );
  return written;
}

/** An error without secrets and, since they may stand in them, without its stack and its cause. */
function redactedError(error: unknown, shown: (text: string) => string): Error {
  if (error instanceof SecretLost) return error;
  const message = shown(messageOf(error));
  if (error instanceof EffectRefused) return new EffectRefused(message);
  if (!(error instanceof EffectFailure)) return new Error(message);
  const { code, values } = error.problem.cause;
  return new EffectFailure({ message, cause: { code, values: shownValues(values, shown) } });
}

function shownValues(values: readonly LineValue[], shown: (text: string) => string): LineValue[] {
  return values.map((value) => (typeof value === "string" ? shown(value) : value));
}
