// Golden files: each protocol, transport and security in each format, or the reason why it is not there.
import { expect, test } from "vitest";
import { clashProxy } from "../../../src/subscriptions/documents/clash-proxy.ts";
import { MIHOMO_WITH_XHTTP } from "../../../src/subscriptions/documents/cores.ts";
import { omissionOf, type EntryFormatName } from "../../../src/subscriptions/documents/limits.ts";
import { linkOf } from "../../../src/subscriptions/documents/share-links.ts";
import type { Entry } from "../../../src/subscriptions/documents/model.ts";
import { singBoxOutbound } from "../../../src/subscriptions/documents/singbox-outbound.ts";
import { xrayOutbound } from "../../../src/subscriptions/documents/xray-outbound.ts";
import { yamlText } from "../../../src/lib/yaml.ts";
import { shapes } from "./shapes.ts";

const WRITERS: Readonly<Partial<Record<EntryFormatName, (entry: Entry) => string | undefined>>> = {
  links: linkOf,
  clash(entry) {
    const proxy = clashProxy(entry, MIHOMO_WITH_XHTTP);
    return proxy && yamlText([proxy]).trimEnd();
  },
  singbox(entry) {
    const outbound = singBoxOutbound(entry);
    return outbound && JSON.stringify(outbound);
  },
  xray(entry) {
    const outbound = xrayOutbound(entry, "proxy");
    return outbound && JSON.stringify(outbound);
  },
};

// rule subscriptions.format.5
test.each(["links", "clash", "singbox", "xray"] as const)("%s", async (format) => {
  const written = shapes.map((entry) => {
    const text = WRITERS[format]?.(entry);
    const omission = omissionOf(format, entry, format === "clash" ? MIHOMO_WITH_XHTTP : undefined);
    expect(text === undefined, entry.name).toBe(omission !== undefined);
    return `# ${entry.name}\n${text ?? `(${omission?.code}: ${omission?.what})`}\n`;
  });
  await expect(written.join("")).toMatchFileSnapshot(`golden/${format}.txt`);
});
