// Address lists and source keys.
import { describe, expect, test } from "vitest";
import { AddressError, parseAddressList, sourceKey, unmapped } from "../../src/lib/addresses.ts";

describe("lists", () => {
  // rule settings.value.2
  test("mixed families, commas and spaces", () => {
    const list = parseAddressList(" 10.0.0.0/8, 192.0.2.7\n2001:db8::/32 ,10.0.0.0/8");
    expect(list.entries).toEqual(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);
    for (const address of ["10.255.0.1", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8:1::1", "::ffff:c000:207"])
      expect(list.contains(address), address).toBe(true);
    for (const address of ["11.0.0.1", "192.0.2.8", "2001:db9::1", "nonsense", ""])
      expect(list.contains(address), address).toBe(false);
  });
  test("IPv4 that is written within IPv6 is IPv4, in a range too", () => {
    const list = parseAddressList("::ffff:10.0.0.0/104 ::ffff:192.0.2.7 ::ffff:c633:6400/120");
    for (const address of ["10.255.0.1", "::ffff:10.1.2.3", "192.0.2.7", "198.51.100.200"])
      expect(list.contains(address), address).toBe(true);
    for (const address of ["11.0.0.1", "192.0.2.8", "198.51.101.1", "::10.0.0.1"])
      expect(list.contains(address), address).toBe(false);
  });
  test("the empty list contains nothing", () => {
    expect(parseAddressList("  ").contains("127.0.0.1")).toBe(false);
  });
  test.each([
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/",
    "10.0.0/8",
    "host.test",
    "1.2.3.4/8/8",
    "fe80::1%eth0",
    "10.0.0.0/-1",
    "010.0.0.1",
    "1.2.3.4:80",
    "[2001:db8::1]",
    "[2001:db8::1]:80",
    '"1.2.3.4"',
    "::ffff:10.0.0.0/129",
    "unknown",
  ])("%s is refused by name", (entry) => {
    expect(() => parseAddressList(`127.0.0.1,${entry}`)).toThrow(AddressError);
    expect(() => parseAddressList(`127.0.0.1,${entry}`)).toThrow(`"${entry}"`);
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
])("source key of %s is %s", (address, key) => {
  expect(sourceKey(address)).toBe(key);
});

test("unmapped keeps what is not mapped", () => {
  expect(unmapped("::ffff:0a00:0001")).toBe("10.0.0.1");
  expect(unmapped("0:0:0:0:0:ffff:10.0.0.1")).toBe("10.0.0.1");
  expect(unmapped("::1")).toBe("::1");
});
