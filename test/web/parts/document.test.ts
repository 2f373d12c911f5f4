// A document that is changed by path: what is empty goes, what is not touched stays, secrets are not kept.
import { expect, test } from "vitest";
import { changedFields, valueAt, valuesOf, withValue } from "../../../src/web/parts/form/document-draft.ts";
import { mergeDocuments } from "../../../src/web/parts/form/merge.ts";
import { securityOf, tlsFor } from "../../../src/web/pool/inbounds/security.ts";
import { PRESETS, presetDocument } from "../../../src/web/pool/inbounds/presets.ts";
import { parseInboundConfig } from "../../../src/pool/dialect/inbound.ts";
import { realityKeyPair } from "../../../src/pool/key-pairs.ts";

const document = { tag: "in", config: { tls: { enabled: true }, list: [{ a: 1 }, { a: 2 }], empty: {} } };

test("a value is put where blocks and lists did not exist, in the place where it stood", () => {
  expect(withValue(document, "config.tls.reality.handshake.server", "a")).toEqual({
    ...document,
    config: { ...document.config, tls: { enabled: true, reality: { handshake: { server: "a" } } } },
  });
  expect(Object.keys(withValue(document, "tag", "out"))).toEqual(["tag", "config"]);
  expect(valueAt(withValue(document, "config.list.1.a", 3), "config.list")).toEqual([{ a: 1 }, { a: 3 }]);
});

test("what is taken out leaves no empty block behind, but those that were empty before", () => {
  expect(withValue(document, "config.tls.enabled", undefined)).toEqual({
    tag: "in",
    config: { list: [{ a: 1 }, { a: 2 }], empty: {} },
  });
  expect(valueAt(withValue(document, "config.list.0", undefined), "config.list")).toEqual([{ a: 2 }]);
  expect(withValue(document, "config.empty.deep", undefined)).toEqual(document);
});

test("inputs see texts, numbers, switches and lists of texts; what is sent are the changed fields", () => {
  expect(valuesOf({ a: { b: ["x"], c: null, d: 1 }, e: false })).toEqual({ "a.b": ["x"], "a.d": 1, e: false });
  expect(changedFields(document, withValue(document, "tag", "out"))).toEqual({ tag: "out" });
});

test("names like those of an object's own parts are keys like any other", () => {
  expect([valueAt({}, "constructor"), valueAt({}, "__proto__.x")]).toEqual([undefined, undefined]);
});

const { privateKey, shortId } = realityKeyPair();
test.each(PRESETS)("the preset %s is an inbound that the panel takes", (preset) => {
  const keys = { privateKey, shortId, key: "AAAAAAAAAAAAAAAAAAAAAA==", password: "long enough" };
  const { type, tag, config } = presetDocument(preset, 443, keys);
  expect(parseInboundConfig(String(type), String(tag), config)).toMatchObject({ ok: true });
});

test("security changes its block and nothing beside it", () => {
  const tls = { enabled: true, server_name: "a.example", alpn: ["h2"] };
  const reality = tlsFor("reality", tls);
  expect(reality).toEqual({
    ...tls,
    reality: { enabled: true, handshake: { server: "a.example", server_port: 443 } },
  });
  expect([securityOf({ tls: reality }), securityOf({ tls }), securityOf({})]).toEqual(["reality", "tls", "none"]);
  expect(tlsFor("tls", reality)).toEqual(tls);
});

test("what two changed of a document is kept of both; where both changed the same, mine stands and is named", () => {
  const base = { tag: "in", remark: "", config: { port: 1, tls: { enabled: true }, list: ["a"], gone: 1 } };
  const mine = { ...base, remark: "mine", config: { ...base.config, port: 2, list: ["a", "b"], fresh: {} } };
  const theirs = { ...base, tag: "out", config: { port: 1, tls: { enabled: true, alpn: ["h2"] }, list: ["a"] } };
  const both = { port: 2, tls: { enabled: true, alpn: ["h2"] }, list: ["a", "b"], fresh: {} };
  expect(mergeDocuments(base, mine, theirs)).toEqual({
    document: { tag: "out", remark: "mine", config: both },
    both: [],
  });
  const other = { ...theirs, config: { ...theirs.config, port: 3, list: ["c"] } };
  expect(mergeDocuments(base, mine, other)).toEqual({
    document: { tag: "out", remark: "mine", config: both },
    both: ["config.port", "config.list"],
  });
  expect(mergeDocuments(base, mine, mine)).toEqual({ document: mine, both: [] });
  expect(mergeDocuments({ a: { b: 1 } }, {}, { a: { b: 2 } }).both).toEqual(["a"]);
});
