// Operators' passwords.
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../src/lib/password.ts";

// rule access.login.7
test("verifies what it hashed, and nothing else", async () => {
  const stored = await hashPassword("correct horse");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verifyPassword(stored, "correct horse")).toBe(true);
  expect(await verifyPassword(stored, "correct horse ")).toBe(false);
  expect(await verifyPassword(stored, "")).toBe(false);
  expect(await hashPassword("correct horse")).not.toBe(stored);
});

// rule access.login.7
test("one password typed on two keyboards is one password", async () => {
  expect(await verifyPassword(await hashPassword("caf\u00e9"), "cafe\u0301")).toBe(true);
});

test("reads a hash of another implementation", async () => {
  // argon2 reference program: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1
  const stored = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await verifyPassword(stored, "password")).toBe(true);
  expect(await verifyPassword(stored, "Password")).toBe(false);
});

test.each([
  "",
  "plain",
  "$argon2i$v=19$m=1,t=1,p=1$c29tZXNhbHQ$AAAA",
  "$argon2id$v=19$m=99999999,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8",
])("%j is no stored hash", async (stored) => {
  await expect(verifyPassword(stored, "x")).rejects.toThrow("not an argon2id PHC text");
});
