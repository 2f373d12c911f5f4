// The first of all rules: what is closed to proxy users whatever the operator's rules say.
import type { CompileOptions } from "../process/dialect.ts";
import { LOCAL_NAMES, LOOPBACK_RANGES, PRIVATE_RANGES } from "../../private-ranges.ts";

/**
 * With private targets allowed only the engines' own interfaces stay closed; without such ports there is nothing to
 * close.
 */
export function guardRules(block: string, { privateTargets, apiPorts }: CompileOptions): Record<string, unknown>[] {
  if (privateTargets === "block")
    return [
      { type: "field", ip: PRIVATE_RANGES, outboundTag: block },
      { type: "field", domain: LOCAL_NAMES, outboundTag: block },
    ];
  if (apiPorts.length === 0) return [];
  const port = apiPorts.toSorted((a, b) => a - b).join(",");
  return [{ type: "field", ip: LOOPBACK_RANGES, port, outboundTag: block }];
}
