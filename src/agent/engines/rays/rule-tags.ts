// Names for rules and balancers by which one list can be exchanged for another while the engine routes by it.
import { digestOf } from "../process/dialect.ts";

type Item = Readonly<Record<string, unknown>>;

export interface Routing {
  readonly rules: readonly Item[];
  readonly balancers: readonly Item[];
}

/**
 * Every list has its own names: its rules can exist together with those of another list, and be removed one by one.
 * `suffix` tells lists of equal content apart.
 */
export function tagged({ rules, balancers }: Routing, suffix = ""): Routing {
  const list = digestOf({ rules, balancers, suffix }).slice(0, 10);
  const name = (tag: unknown): string => `${list}.${String(tag)}`;
  return {
    rules: rules.map((rule, index) => ({
      ...rule,
      ruleTag: `${list}.${index}`,
      ...(rule["balancerTag"] !== undefined && { balancerTag: name(rule["balancerTag"]) }),
    })),
    balancers: balancers.map((balancer) => ({ ...balancer, tag: name(balancer["tag"]) })),
  };
}

/** The list without its names, as `tagged` takes it. */
export function untagged({ rules, balancers }: Routing): Routing {
  const plain = (tag: unknown): string => String(tag).replace(/^[0-9a-f]{10}\./, "");
  return {
    rules: rules.map(({ ruleTag: _, ...rule }) => ({
      ...rule,
      ...(rule["balancerTag"] !== undefined && { balancerTag: plain(rule["balancerTag"]) }),
    })),
    balancers: balancers.map((balancer) => ({ ...balancer, tag: plain(balancer["tag"]) })),
  };
}
