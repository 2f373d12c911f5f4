// The page's reading of a list of addresses is the panel's own.
import { expect, test } from "vitest";
import { parseAddressList } from "../../../src/lib/addresses.ts";
import { holdsAddress } from "../../../src/web/settings/address-list.ts";

const LISTS = [
  "",
  "192.0.2.1",
  "192.0.2.0/24, 10.0.0.0/8",
  "0.0.0.0/0",
  "::/0",
  "2001:db8::/32 192.0.2.9",
  "2001:db8:0:1::1",
  "::ffff:192.0.2.1",
  "::ffff:192.0.2.0/120",
  "::ffff:10.0.0.0/104 ::ffff:c000:200/128",
];
const ADDRESSES = [
  "192.0.2.1",
  "192.0.2.255",
  "192.0.3.0",
  "10.255.0.1",
  "::1",
  "2001:db8::",
  "2001:db8:ffff::5",
  "2001:db8:0:1:0:0:0:1",
  "2001:db9::",
  "::ffff:192.0.2.1",
];

test("the same addresses are held, of both families, however they are written", () => {
  for (const list of LISTS) {
    const ours = parseAddressList(list);
    for (const address of ADDRESSES)
      expect([list, address, holdsAddress(list, address)]).toEqual([list, address, ours.contains(address)]);
  }
});

test("what is no address holds nothing and is held by nothing", () => {
  for (const wrong of [
    "",
    "x",
    "1.2.3",
    "1.2.3.4.5",
    "1:2",
    "::1::",
    "1.2.3.256",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/x",
  ])
    expect([wrong, holdsAddress(wrong, "10.0.0.1"), holdsAddress("0.0.0.0/0 ::/0", wrong)]).toEqual([
      wrong,
      false,
      false,
    ]);
});
