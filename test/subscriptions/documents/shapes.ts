// Every protocol over every transport with every kind of security, as entries with nothing in them that changes from
// run to run.
import { entriesOf } from "../../../src/subscriptions/documents/entries.ts";
import type { Entry } from "../../../src/subscriptions/documents/model.ts";
import { cellsOf } from "../../e2e/matrix/cells.ts";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { inbound, node, reality, selfSigned, user } from "./fixtures.ts";

const { certificate, privateKey } = await issueSelfSigned(["node.test"], Date.now());
const cells = cellsOf({
  // Has no effect on the entries: what clients are told of the certificate is the fixture's.
  certificate,
  key: privateKey,
  serverName: "node.test",
  realityKey: reality.private_key,
  handshake: { server: "w.test", server_port: 443 },
});

/** A public certificate, and beside it a pinned one where there is TLS. */
export const shapes: readonly Entry[] = cells.flatMap(({ name, type, security, vision, config }) => {
  const nodes = [
    { ...node, name: "", address: "node.test" },
    ...(security === "tls" ? [{ ...node, name: "pinned", address: "192.0.2.1", certificate: selfSigned }] : []),
  ];
  return entriesOf({ ...user, flow: vision ? user.flow : "" }, [inbound(type, config, { remark: name, nodes })]);
});
