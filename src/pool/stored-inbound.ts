// An inbound as an older version may have stored it, read with the checks of today (rules pool.fragment.5 and
// subscriptions.preview.3).
import { storedClientConfig, type ClientConfig } from "./dialect/client-config.ts";
import { parseInboundConfig, type InboundDialect } from "./dialect/inbound.ts";
import type { InboundRow } from "./inbound.entity.ts";
import { fieldOf } from "./refused-fragment.ts";

export interface StoredInbound {
  /** Undefined where a write of its `config` would be refused today: no subscription lists it. */
  readonly dialect: InboundDialect | undefined;
  /** Without the parts that would be refused. */
  readonly client: ClientConfig;
  /** What would be refused of `type` and `config`, as the API names fields. */
  readonly refused: readonly string[];
  /** Parts of `clientConfig` that clients are not told for the same reason. */
  readonly untold: readonly string[];
}

export function readStoredInbound({
  type,
  tag,
  config,
  clientConfig,
}: Pick<InboundRow, "type" | "tag" | "config" | "clientConfig">): StoredInbound {
  const parsed = parseInboundConfig(type, tag, config);
  const { client, leftOut } = storedClientConfig(clientConfig);
  const fields = (under: string, paths: readonly string[]) => [...new Set(paths.map((path) => fieldOf(under, path)))];
  return {
    dialect: parsed.ok ? parsed.inbound : undefined,
    client,
    refused: parsed.ok
      ? []
      : fields(
          "config",
          parsed.issues.map(({ path }) => path),
        ),
    untold: fields("clientConfig", leftOut),
  };
}
