// Client-side overrides at write.
import { expect, test } from "vitest";
import { parseClientConfig, parseClientTls } from "../../../src/pool/dialect/client.ts";

// rule pool.inbound.5
test("absent, null and empty are the empty override", () => {
  for (const config of [undefined, null, {}]) expect(parseClientConfig(config)).toEqual({ ok: true, client: {} });
  expect(parseClientTls(null)).toEqual({ ok: true, tls: {} });
});

test("keys of sing-box alone are kept", () => {
  const tls = { server_name: "a.test", alpn: "h2", utls: {}, ech: { enabled: true }, fragment: true };
  expect(parseClientConfig({ server: "cdn.test", server_port: 8443, tls })).toEqual({
    ok: true,
    client: {
      server: "cdn.test",
      server_port: 8443,
      tls: { ...tls, alpn: ["h2"], utls: { enabled: true, fingerprint: "chrome" } },
    },
  });
});

test.each<[unknown, string]>([
  [{ server_port: 0 }, "server_port"],
  [{ port: 1 }, "port"],
  [{ tls: { insecure: "yes" } }, "tls.insecure"],
  [7, ""],
])("%j is refused at %j", (config, path) => {
  expect(parseClientConfig(config)).toMatchObject({ ok: false, issues: [{ path }] });
});
