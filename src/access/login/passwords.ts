// Usernames and passwords of operators (rule admins.account.2).
import { z } from "zod";
import { invalid, matching, rule } from "../../http/index.ts";

export const Username = z.string().check(matching(/^[A-Za-z0-9._@-]{1,64}$/, rule("username")));

/** Usernames are unique without regard to case. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}

/** Throws a 400 for a password that may not be set. */
export function checkPassword(password: string, username: string, field = "password"): void {
  const length = Array.from(password).length;
  if (length < 8 || length > 256) invalid(field, rule("length", 8, 256));
  if (password.toLowerCase() === username.toLowerCase()) invalid(field, rule("password_is_username"));
}
