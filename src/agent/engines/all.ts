// The engines that this agent can drive, one import each.
import type { DriverFactory } from "./driver.ts";
import { noneFactory } from "./none.ts";

export const engineFactories: readonly DriverFactory[] = [noneFactory];
