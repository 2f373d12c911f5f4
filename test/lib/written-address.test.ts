// An address as others write it: one text for each, and nothing for what is none.
import { expect, test } from "vitest";
import { plainAddress, readAddress } from "../../src/lib/written-address.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["  203.0.113.9\t", "203.0.113.9"],
  ["203.0.113.9:0", "203.0.113.9"],
  ["203.0.113.9:65535", "203.0.113.9"],
  ['"203.0.113.9"', "203.0.113.9"],
  ['"203.0.113.9:4711"', "203.0.113.9"],
  ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:8080", "2001:db8::1"],
  ['"[2001:db8::1]:8080"', "2001:db8::1"],
  // Seven groups and one more: an address, and no port.
  ["2001:db8::8080", "2001:db8::8080"],
  ["fe80::1%eth0", "fe80::1"],
  ["[FE80::1%eth0]:99", "fe80::1"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::FFFF:102:304", "1.2.3.4"],
  ["0:0:0:0:0:ffff:1.2.3.4", "1.2.3.4"],
  ["[::ffff:1.2.3.4]:443", "1.2.3.4"],
  ["::ffff:1.2.3.4%lo", "1.2.3.4"],
  ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
  ["::", "::"],
])("%s is read as %s", (written, address) => {
  expect(readAddress(written)).toBe(address);
  expect(readAddress(address)).toBe(address);
});

test.each([
  "",
  " ",
  '"',
  '""',
  "unknown",
  "_hidden",
  "garbage",
  "unix:",
  "localhost",
  "<script>",
  "203.0.113.78<script>",
  "203.0.113.010",
  "0x7f.0.0.1",
  "127.1",
  "2130706433",
  "203.0.113.9:",
  "203.0.113.9:65536",
  "203.0.113.9:123456",
  "203.0.113.9:80:80",
  "203.0.113.9:_port",
  "203.0.113.9%eth0",
  "203.0.113.9 203.0.113.10",
  "203.0.113.9/32",
  "[203.0.113.9]",
  "[203.0.113.9]:80",
  "[2001:db8::1",
  "2001:db8::1]",
  "[2001:db8::1]80",
  "[2001:db8::1]:",
  "[2001:db8::1]:99999",
  "[[2001:db8::1]]",
  "[]",
  "::ffff:1.2.3.4:80",
  "2001:db8::1%<b>",
  "2001:db8::g",
  "for=203.0.113.9",
  "٢٠٣.0.113.9",
  "203.0.113.9\u0000",
])("%j is no address", (written) => {
  expect(readAddress(written)).toBeUndefined();
});

test("what a kernel or an engine says is one text for each address, and text that is none stays", () => {
  expect([undefined, "::ffff:10.0.0.1", "[2001:DB8::1%2]", "@Abstract"].map(plainAddress)).toEqual([
    "",
    "10.0.0.1",
    "2001:db8::1",
    "@abstract",
  ]);
});
