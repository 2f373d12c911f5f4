// The dialect of an installed engine, for tests that make a driver with parts of their own.
import type { EngineInfo } from "../../../src/agent/engines/contract/driver.ts";
import type { Dialect } from "../../../src/agent/engines/process/dialect.ts";
import { singBoxDialect } from "../../../src/agent/engines/sing-box/dialect.ts";
import { v2rayDialect } from "../../../src/agent/engines/v2ray/dialect.ts";
import { xrayDialect } from "../../../src/agent/engines/xray/dialect.ts";

export function dialectOf({ kind, version, tags }: EngineInfo): Dialect {
  if (kind === "xray") return xrayDialect(version);
  return kind === "sing-box" ? singBoxDialect(tags) : v2rayDialect;
}
