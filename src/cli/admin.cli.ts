// `signalbox admin create|reset-password|disable-2fa`: operators from the command line.
import { createInterface } from "node:readline/promises";
import { EXIT, onPanel } from "./shared.ts";

export const ADMIN_HELP = `signalbox admin create USERNAME [ROLE]
signalbox admin reset-password USERNAME
signalbox admin disable-2fa USERNAME

The first two read the password from standard input (one line), so that it is on no command line. The third is for an
operator who lost both the authenticator and the recovery codes.
`;

export async function admin(argv: readonly string[]): Promise<number> {
  const [verb, username, role, ...more] = argv;
  const known =
    (verb === "create" && more.length === 0) ||
    ((verb === "reset-password" || verb === "disable-2fa") && role === undefined);
  if (!known || username === undefined) {
    process.stderr.write(ADMIN_HELP);
    return EXIT.usage;
  }
  if (verb === "disable-2fa") {
    await onPanel("admin disable-2fa", { username });
    return EXIT.done;
  }
  const password = await readPassword();
  await onPanel(`admin ${verb}`, { username, password, ...(role === undefined ? {} : { role }) });
  return EXIT.done;
}

async function readPassword(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    if (process.stdin.isTTY) process.stderr.write("Password: ");
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
  }
}
