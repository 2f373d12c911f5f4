// The engines that this agent can drive, one import each.
import type { DriverFactory } from "./contract/driver.ts";
import { embeddedFactory } from "./embedded/index.ts";
import { noneFactory } from "./none.ts";
import { singBoxFactory } from "./sing-box/index.ts";
import { v2rayFactory } from "./v2ray/index.ts";
import { xrayFactory } from "./xray/index.ts";

export const engineFactories: readonly DriverFactory[] = [
  xrayFactory,
  singBoxFactory,
  v2rayFactory,
  embeddedFactory,
  noneFactory,
];
