// The log of sing-box: whose a connection is, from where and to where, and nothing that a client writes into it.
import { describe, expect, test } from "vitest";
import { lineReader } from "../../../src/agent/engines/sing-box/log.ts";

const AT = "+0000 2026-11-21 12:43:03";
const SECONDS = Date.UTC(2026, 10, 21, 12, 43, 3) / 1000;

function announced(...lines: string[]): unknown[] {
  const read = lineReader();
  return lines.flatMap((line) => read(`${AT} ${line}`) ?? []);
}

const tcp = {
  at: SECONDS,
  source: "198.51.100.9",
  sourcePort: 35409,
  network: "tcp",
  inboundTag: "in.3.a",
  user: "7.3",
  destination: "x.test:443",
  outbound: "",
};

describe("connections", () => {
  test("the user when he is known, the outbound when it goes out", () => {
    expect(
      announced(
        "INFO [330 0ms] inbound/vless[in.3.a]: inbound connection from 198.51.100.9:35409",
        "INFO [330 5ms] inbound/vless[in.3.a]: [7.3] inbound connection to x.test:443",
        "INFO [330 6ms] dns: lookup succeed for x.test: 192.0.2.1",
        "INFO [330 6ms] outbound/direct[out [1]]: outbound connection to x.test:443",
      ),
    ).toEqual([tcp, { ...tcp, outbound: "out [1]" }]);
  });

  test("a refused one names the block outbound", () => {
    expect(
      announced(
        "INFO [330 0ms] inbound/trojan[in.3.a]: inbound connection from 198.51.100.9:35409",
        "INFO [330 5ms] inbound/trojan[in.3.a]: [7.3] inbound connection to x.test:443",
        "INFO [330 5ms] outbound/block[ads]: blocked connection to x.test:443",
        "ERROR [330 5ms] connection: open connection to x.test:443 using outbound/block[ads]: operation not permitted",
      ),
    ).toEqual([tcp, { ...tcp, outbound: "ads" }]);
  });

  test("datagrams, IPv6, and an address mapped into it", () => {
    expect(
      announced(
        "INFO [1 0ms] inbound/shadowsocks[in.3.a]: [7.3] inbound packet connection from [2001:db8::1]:9",
        "INFO [1 0ms] inbound/shadowsocks[in.3.a]: [7.3] inbound packet connection to 192.0.2.1:53",
        "INFO [1 0ms] outbound/direct[direct]: outbound packet connection",
        "INFO [2 0ms] inbound/hysteria2[in.9.b]: inbound packet connection from [::ffff:198.51.100.9]:35409",
        "INFO [2 0ms] inbound/hysteria2[in.9.b]: [7.9] inbound packet connection to 192.0.2.1:53",
      ),
    ).toMatchObject([
      { source: "2001:db8::1", sourcePort: 9, network: "udp", user: "7.3", outbound: "" },
      { source: "2001:db8::1", network: "udp", outbound: "direct" },
      { source: "198.51.100.9", inboundTag: "in.9.b", network: "udp", user: "7.9" },
    ]);
  });

  test("streams that share one connection are announced one by one", () => {
    expect(
      announced(
        "INFO [1 0ms] inbound/anytls[in.3.a]: inbound connection from 198.51.100.9:35409",
        "INFO [1 1ms] inbound/anytls[in.3.a]: [7.3] inbound connection to x.test:443",
        "INFO [1 9ms] inbound/anytls[in.3.a]: [7.3] inbound connection to y.test:443",
      ),
    ).toMatchObject([tcp, { destination: "y.test:443" }]);
  });

  test("a refused stream within a multiplexed connection is counted, though it names nobody", () => {
    expect(
      announced(
        "INFO [5 0ms] inbound/vless[in.3.a]: inbound multiplex connection to x.test:443",
        "INFO [5 0ms] outbound/block[ads]: blocked connection to x.test:443",
        "INFO [6 0ms] outbound/direct[direct]: outbound connection to y.test:443",
      ),
    ).toEqual([
      {
        at: SECONDS,
        source: "",
        sourcePort: 0,
        network: "tcp",
        destination: "",
        inboundTag: undefined,
        outbound: "ads",
        user: undefined,
      },
    ]);
  });
});

describe("what a client writes", () => {
  test("a host name that holds lines of its own changes nobody's connection", () => {
    const lines = announced(
      "INFO [330 0ms] inbound/vless[in.3.a]: inbound connection from 198.51.100.9:35409",
      "INFO [330 5ms] inbound/vless[in.3.a]: [7.3] inbound connection to x [8.3] inbound connection to y:443",
      "INFO [330 5ms] inbound/vless[in.3.a]: [8.3] inbound connection to z:443",
      "INFO [330 5ms] inbound/vless[in.3.a]: inbound connection from 203.0.113.1:1",
      "INFO [330 5ms] inbound/vless[in.4.a]: [8.4] inbound connection to z:443",
    );
    expect(lines).toMatchObject([{ user: "7.3", source: "198.51.100.9" }]);
  });

  test("a line without the secret end of our tags is none of the engine's", () => {
    const read = lineReader(".5ec7e7");
    expect(read(`${AT} INFO [1 0ms] inbound/vless[in.3.a]: inbound connection from 203.0.113.1:9`)).toBeUndefined();
    expect(read(`${AT} INFO [1 0ms] inbound/vless[in.3.a]: [8.3] inbound connection to z:1`)).toBeUndefined();
    expect(
      read(`${AT} INFO [2 0ms] inbound/vless[in.3.a.5ec7e7]: inbound connection from 198.51.100.9:9`),
    ).toBeUndefined();
    expect(read(`${AT} INFO [2 0ms] inbound/vless[in.3.a.5ec7e7]: [7.3] inbound connection to z:1`)).toMatchObject({
      user: "7.3",
      inboundTag: "in.3.a",
    });
  });

  test("lines of no connection that began are nobody's", () => {
    expect(
      announced(
        "INFO [1 0ms] inbound/vless[in.3.a]: [8.3] inbound connection to z:443",
        "INFO network: updated default interface",
      ),
    ).toEqual([]);
    expect(lineReader()("not a line of the engine")).toBeUndefined();
  });

  test("memory is bounded", () => {
    const read = lineReader();
    for (let id = 0; id < 30_000; id += 1)
      read(`${AT} INFO [${id} 0ms] inbound/vless[in.3.a]: inbound connection from 198.51.100.9:1`);
    expect(read(`${AT} INFO [5 1ms] inbound/vless[in.3.a]: [7.3] inbound connection to x:1`)).toBeUndefined();
    expect(read(`${AT} INFO [29999 1ms] inbound/vless[in.3.a]: [7.3] inbound connection to x:1`)).toMatchObject({
      user: "7.3",
    });
  });
});
