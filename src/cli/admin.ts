// `signalbox admin create|reset-password`: operators from the command line.
import { createInterface } from "node:readline/promises";
import { EXIT, onPanel } from "./shared.ts";

export const ADMIN_HELP = `signalbox admin create USERNAME [ROLE]
signalbox admin reset-password USERNAME

Reads the password from standard input (one line), so that it is on no command line.
`;

export async function admin(argv: readonly string[]): Promise<number> {
  const [verb, username, role, ...more] = argv;
  const known = (verb === "create" && more.length === 0) || (verb === "reset-password" && role === undefined);
  if (!known || username === undefined) {
    process.stderr.write(ADMIN_HELP);
    return EXIT.usage;
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
