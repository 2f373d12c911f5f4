// What a state means for the reader: one of five tones, each with its own colour and shape.

/**
 * ok: works. waiting: continues automatically. failed: needs a person, or refuses to serve. off: not active. running:
 * at work right now.
 */
export type Tone = "ok" | "waiting" | "failed" | "off" | "running";

/** Exact states first, then by the outer state's name. */
const TONES: Readonly<Record<string, Readonly<Record<string, Tone>>>> = {
  user: {
    enabled: "ok",
    "enabled.waiting": "waiting",
    "enabled.deciding": "running",
    disabled: "off",
    "disabled.deciding": "running",
    "disabled.volume": "waiting",
    "disabled.resaleVolume": "waiting",
    "disabled.expiry": "failed",
    "disabled.resaleExpiry": "failed",
  },
  node: {
    deciding: "running",
    linked: "running",
    "linked.connected": "ok",
    "linked.refused": "failed",
    "linked.refused.trying": "running",
    restarting: "running",
    disabled: "off",
    "disabled.limit": "waiting",
    "disabled.licence": "waiting",
    error: "failed",
  },
  reseller: {
    deciding: "running",
    open: "ok",
    closing: "running",
    "closed.volume": "waiting",
    "closed.expiry": "failed",
    opening: "running",
  },
  job: { queued: "waiting", cancelling: "waiting", succeeded: "ok", failed: "failed", cancelled: "off" },
};

/** Words in a state's last part that tell the tone of charts that have no table above. */
const WORDS: readonly (readonly [RegExp, Tone])[] = [
  [/^(failed|error|fault|lost|refused|rejected|expired)/i, "failed"],
  [/^(backoff|waiting|wait|grace|pending|idle|scheduled|due|queued|unplugged)/i, "waiting"],
  [/^(disabled|off|removed|stopped|cancelled|closed)/i, "off"],
  [/^(connected|enabled|active|ready|valid|up|installed|started|done)/i, "ok"],
];

/** The tone of an actor's state; of one that nothing is known about: running. */
export function stateTone(kind: string, state: string): Tone {
  const table = TONES[kind] ?? {};
  for (let name = state; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    const known = table[name];
    if (known) return known;
  }
  for (const part of state.split(".").toReversed()) {
    const found = WORDS.find(([pattern]) => pattern.test(part));
    if (found) return found[1];
  }
  return "running";
}

/** Colour of text and marks of a tone. */
export function toneColour(tone: Tone): string {
  return `var(--tone-${tone}, var(${FALLBACKS[tone]}))`;
}

/** Fill behind text of a tone. */
export function toneFill(tone: Tone): string {
  return `var(--tone-${tone}-soft, color-mix(in srgb, ${toneColour(tone)} 12%, transparent))`;
}

const FALLBACKS: Readonly<Record<Tone, string>> = {
  ok: "--mantine-color-teal-text",
  waiting: "--mantine-color-orange-text",
  failed: "--mantine-color-red-text",
  off: "--mantine-color-dimmed",
  running: "--mantine-color-blue-text",
};
