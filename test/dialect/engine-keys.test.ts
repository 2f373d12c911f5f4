// Every key that the pinned engines read is decided: allowed in fragments, or refused for a reason. The lists are what
// the engines' sources say.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { KeyList } from "../../scripts/engine-keys/key-list.ts";
import { engineSources, KEY_LISTS, pinnedVersions, readKeys } from "../../scripts/engine-keys/sources.ts";
import { INBOUNDS } from "../../src/dialect/inbounds.ts";
import { ENDPOINTS, OUTBOUNDS } from "../../src/dialect/outbounds.ts";
import { CORE, ROUTE } from "../../src/dialect/routing.ts";
import { block, choice, list } from "../../src/dialect/shape.ts";
import { compareKeys, nothingCompared } from "./compare-keys.ts";
import { notSingBox, refusedBySingBox } from "./refused-keys.ts";
import { refusedXrayKeys, unwrittenXrayBlocks, XRAY_EXTRA, xrayKeysWritten } from "./xray-keys.ts";

const engines = ["sing-box", "xray"] as const;
const listOf = (engine: (typeof engines)[number]): KeyList =>
  KeyList.parse(JSON.parse(readFileSync(KEY_LISTS[engine], "utf8")));
const sources = engineSources();

describe.each(engines)("the list of %s", (engine) => {
  test("is of the version that is built", () => {
    expect(listOf(engine).version).toBe(pinnedVersions()[engine]);
  });

  test("is what its sources say", ({ skip }) => {
    if (!sources) return skip("the engines' sources are not in Go's module cache; scripts/install-engines brings them");
    expect(readKeys(engine, sources)).toEqual(listOf(engine));
  });
});

describe("sing-box", () => {
  const shape = (() => {
    // An endpoint of sing-box, which older plans name among outbounds.
    const { wireguard: _, ...outbounds } = OUTBOUNDS;
    const core = CORE.kind === "block" ? CORE.keys : {};
    return block({
      inbounds: list(choice("type", "", INBOUNDS)),
      outbounds: list(choice("type", "", outbounds)),
      endpoints: list(choice("type", "", ENDPOINTS)),
      route: ROUTE,
      ...core,
    });
  })();
  const compared = nothingCompared();
  compareKeys(shape, "Options", listOf("sing-box"), compared);

  // rule pool.fragment.2
  test("each key is allowed, or refused for a reason", () => {
    const refused = [...compared.refused].filter((key) => !compared.allowed.has(key));
    expect(refused.filter((key) => !refusedBySingBox.has(key))).toEqual([]);
    expect([...refusedBySingBox.keys()].filter((key) => !refused.includes(key))).toEqual([]);
    expect(compared.allowed.size).toBeGreaterThan(400);
  });

  test("each allowed key is known to it, or another engine's", () => {
    expect([...compared.foreign].toSorted()).toEqual([...notSingBox].toSorted());
  });
});

describe("Xray", () => {
  const keys = listOf("xray");

  test("each key is one that is written, or never written for a reason", () => {
    const undecided = Object.entries(keys.blocks).flatMap(([name, { keys: own }]) => {
      if (unwrittenXrayBlocks.has(name)) return [];
      const decided = new Set([
        ...(xrayKeysWritten[name] ?? "").split(" "),
        ...(refusedXrayKeys[name] ?? "").split(" "),
      ]);
      return Object.keys(own).flatMap((key) => (decided.has(key) ? [] : [`${name}.${key}`]));
    });
    expect(undecided).toEqual([]);
    const named = [...Object.keys(xrayKeysWritten), ...Object.keys(refusedXrayKeys), ...unwrittenXrayBlocks.keys()];
    expect(named.filter((name) => !(name in keys.blocks))).toEqual([]);
    expect([...unwrittenXrayBlocks.keys()].filter((name) => name in xrayKeysWritten)).toEqual([]);
  });

  test("of `transport.extra`, which goes to it as it is, each key is allowed or refused for a reason", () => {
    const transport = INBOUNDS["vless"]?.kind === "block" ? INBOUNDS["vless"].keys["transport"] : undefined;
    const xhttp = transport?.kind === "choice" ? transport.of["xhttp"] : undefined;
    const extra = xhttp?.kind === "block" ? xhttp.keys["extra"] : undefined;
    if (!extra) throw new Error("there is no extra");
    const compared = nothingCompared();
    compareKeys(extra, "SplitHTTPConfig", keys, compared);
    const refused = [...compared.refused].filter((key) => !compared.allowed.has(key));
    expect(refused.filter((key) => !XRAY_EXTRA.refused.has(key))).toEqual([]);
    expect([...XRAY_EXTRA.refused.keys()].filter((key) => !refused.includes(key))).toEqual([]);
    expect([...compared.foreign].toSorted()).toEqual([...XRAY_EXTRA.foreign].toSorted());
  });
});
