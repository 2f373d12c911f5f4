// The engines that this agent can drive, one import each.
import type { DriverFactory } from "./driver.ts";
import { embeddedFactory } from "./embedded/index.ts";
import { noneFactory } from "./none.ts";
import { v2rayFactory } from "./v2ray/index.ts";

export const engineFactories: readonly DriverFactory[] = [v2rayFactory, embeddedFactory, noneFactory];
