// The commands of a round, drawn from the seed without regard to pace: the same seed draws the same, whatever a panel
// comes to answer.
import { weighted, type Random } from "./random.ts";

const VERBS = [
  [14, "user.create"],
  [22, "user.patch"],
  [4, "user.put"],
  [10, "user.delete"],
  [3, "user.renew"],
  [3, "user.reset"],
  [2, "user.duplicate"],
  [4, "inbound.create"],
  [4, "inbound.put"],
  [3, "inbound.delete"],
  [2.5, "front.create"],
  [3, "front.put"],
  [1.5, "front.delete"],
  [3, "outbound.create"],
  [3, "outbound.put"],
  [2, "outbound.delete"],
  [4, "template.create"],
  [4, "template.put"],
  [3, "template.delete"],
  [2, "node.create"],
  [4, "node.put"],
  [2, "node.enabled"],
  [1, "node.reconnect"],
  [1.5, "node.delete"],
  [4, "setting.put"],
  [2, "webhook.create"],
  [2, "webhook.put"],
  [1.5, "webhook.delete"],
  [2, "webhook.ping"],
  [2, "token.create"],
  [1.5, "token.delete"],
] as const;
export type Verb = (typeof VERBS)[number][1];

const KEYED = 0.4;
const ROLLS = 6;

/** A drawn command. `pick` and `also` choose among the records, `rolls` what is written. All from 0 to 1. */
export interface Command {
  readonly n: number;
  readonly verb: Verb;
  /** It carries an `Idempotency-Key`. */
  readonly keyed: boolean;
  readonly pick: number;
  readonly also: number;
  readonly rolls: readonly number[];
}

/** Draws `count` commands, numbered from `first`. */
export function drawCommands(random: Random, count: number, first: number): Command[] {
  return Array.from({ length: count }, (_, index) => ({
    n: first + index,
    verb: weighted(random, VERBS),
    keyed: random() < KEYED,
    pick: random(),
    also: random(),
    rolls: Array.from({ length: ROLLS }, random),
  }));
}
