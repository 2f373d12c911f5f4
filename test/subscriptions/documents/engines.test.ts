// Every form that a subscription can have, under the check of the engines that clients run.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { servedCertificate } from "../../../src/subscriptions/documents/certificate.ts";
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import { renderLinks } from "../../../src/subscriptions/documents/share-links.ts";
import type { Entry } from "../../../src/subscriptions/documents/model.ts";
import { placeholderEntry } from "../../../src/subscriptions/documents/placeholder.ts";
import { renderSingBox } from "../../../src/subscriptions/documents/singbox.ts";
import { renderXray } from "../../../src/subscriptions/documents/xray.ts";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { cellsOf } from "../../e2e/matrix/cells.ts";
import { inbound, node, reality, user } from "./fixtures.ts";
import { installed, objection } from "./said-by-engines.ts";

const { certificate, privateKey } = await issueSelfSigned(["node.test"], Date.now());
const cells = cellsOf({
  certificate,
  key: privateKey,
  serverName: "node.test",
  realityKey: reality.private_key,
  handshake: { server: "w.test", server_port: 443 },
});
const served = servedCertificate(certificate, {});

/**
 * The entries of a cell: at a node whose certificate is self-signed, and at one whose certificate a public authority
 * signed.
 */
function entries(only: (cell: (typeof cells)[number]) => boolean = () => true): Entry[] {
  return cells.filter(only).flatMap(({ name, type, vision, config }) => {
    const nodes = [
      { ...node, name: "own", certificate: served },
      { ...node, name: "public", address: "node.test", certificate: undefined },
    ];
    return entriesOf({ ...user, flow: vision ? user.flow : "" }, [inbound(type, config, { remark: name, nodes })]);
  });
}

const Configurations = z.array(z.looseObject({ remarks: z.string() }));
const SingBox = z.looseObject({ outbounds: z.array(z.looseObject({ type: z.string(), tag: z.string() })) });

describe.skipIf(!installed("xray", "version"))("xray", () => {
  const args = ["run", "-test", "-c", "stdin:"];
  test("takes every configuration", () => {
    const documents = Configurations.parse(JSON.parse(renderXray([...entries(), placeholderEntry("Expired")])));
    const objections = documents.flatMap((document) => {
      const said = objection("xray", args, JSON.stringify(document));
      return said === undefined ? [] : [`${document.remarks}: ${said}`];
    });
    expect(objections).toEqual([]);
    expect(documents.length).toBeGreaterThan(80);
  });

  test("has an objection to what is wrong", () => {
    expect(objection("xray", args, `{"outbounds":[{"protocol":"nonsense"}]}`)).toMatch(/nonsense/);
  });
});

describe.skipIf(!installed("sing-box", "version"))("sing-box", () => {
  const args = ["check", "-c", "stdin"];
  test("takes the document of all entries", () => {
    const all = [...entries(), placeholderEntry("Expired")];
    const document = renderSingBox(all);
    expect(objection("sing-box", args, document)).toBeUndefined();
    expect(SingBox.parse(JSON.parse(document)).outbounds.length).toBeGreaterThan(100);
  });

  test("has an objection to what is wrong", () => {
    expect(objection("sing-box", args, `{"outbounds":[{"type":"nonsense"}]}`)).toMatch(/nonsense/);
  });
});

describe("what a format cannot say is left out, and nothing else", () => {
  const carried = (kept: (entry: Entry) => boolean) =>
    entries()
      .filter(kept)
      .map(({ name }) => name);
  const transport = ({ transport: t }: Entry) => t?.type ?? "tcp";

  // rule subscriptions.format.5
  test("xray: tuic, anytls, http (h2), REALITY over ws and httpupgrade", () => {
    const unspoken = (entry: Entry) =>
      ["tuic", "anytls"].includes(entry.protocol) ||
      transport(entry) === "http" ||
      (entry.tls?.reality !== undefined && ["ws", "httpupgrade"].includes(transport(entry)));
    const names = Configurations.parse(JSON.parse(renderXray(entries()))).map(({ remarks }) => remarks);
    expect(names).toEqual(carried((entry) => !unspoken(entry)));
  });

  test("sing-box: xhttp, socks over TLS", () => {
    const unspoken = (entry: Entry) =>
      transport(entry) === "xhttp" || (entry.protocol === "socks" && entry.tls !== undefined);
    const { outbounds } = SingBox.parse(JSON.parse(renderSingBox(entries())));
    const groups = ["selector", "urltest", "direct"];
    expect(outbounds.filter(({ type }) => !groups.includes(type)).map(({ tag }) => tag)).toEqual(
      carried((entry) => !unspoken(entry)),
    );
  });

  test("links: socks over TLS", () => {
    const unspoken = (entry: Entry) => entry.protocol === "socks" && entry.tls !== undefined;
    expect(renderLinks(entries()).trimEnd().split("\n")).toHaveLength(carried((entry) => !unspoken(entry)).length);
  });
});
