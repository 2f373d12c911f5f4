// The rows of a pill: triggers with the same condition share one, `edited, due [off]`.
import type { Trigger, TriggerKind } from "./trigger.ts";

export interface Label {
  readonly kind: TriggerKind;
  readonly text: string;
  /** With its brackets; empty without a guard. */
  readonly guard: string;
  readonly events: readonly string[];
}

/** A row with its condition is not made longer than this by what joins it. */
const JOINED_LENGTH = 28;

export function labelsOf(triggers: readonly Trigger[]): Label[] {
  const labels: Label[] = [];
  for (const { kind, label, event, guard: condition } of triggers) {
    const guard = condition === undefined ? "" : `[${condition}]`;
    // A pill without a word would say nothing.
    if (label === "" && guard === "") continue;
    const index = labels.findIndex(
      (known) =>
        known.kind === kind && known.guard === guard && `${known.text}, ${label} ${guard}`.length <= JOINED_LENGTH,
    );
    const known = labels[index];
    if (!known) labels.push({ kind, text: label, guard, events: [event] });
    else if (!known.events.includes(event)) {
      labels[index] = {
        ...known,
        text: [known.text, label].filter((part) => part !== "").join(", "),
        events: [...known.events, event],
      };
    }
  }
  return labels;
}
