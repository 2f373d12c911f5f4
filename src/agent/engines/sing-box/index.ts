// sing-box as an engine: found on the PATH, driven through processes of its own.
import type { DriverFactory } from "../contract/driver.ts";
import { probeCapabilities } from "../process/capabilities.ts";
import { ProcessDriver } from "../process/driver.ts";
import { markOf } from "../process/lifecycle/tag-mark.ts";
import { singBoxDialect } from "./dialect.ts";
import { COUNTING_TAG, probeSingBox } from "./probe.ts";

export const singBoxFactory: DriverFactory = {
  kind: "sing-box",

  async probe() {
    const installed = await probeSingBox();
    if (!installed?.tags.includes(COUNTING_TAG)) return undefined;
    const can = await probeCapabilities({ live: false, closesByItself: installed.tags.includes("with_clash_api") });
    return { kind: "sing-box", version: installed.version, tags: installed.tags, can };
  },

  async obstacle() {
    const installed = await probeSingBox();
    if (!installed || installed.tags.includes(COUNTING_TAG)) return undefined;
    return `the installed sing-box (${installed.version}) cannot count traffic: it was built without the tag ${COUNTING_TAG}`;
  },

  create: (info, context) => new ProcessDriver(singBoxDialect(info.tags, markOf(context.directory)), info, context),
};
