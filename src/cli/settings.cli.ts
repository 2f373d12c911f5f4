// `signalbox settings list|get|set`: every setting, under the same validation as the route.
import { z } from "zod";
import { EXIT, onPanel } from "./shared.ts";

export const SETTINGS_HELP = `signalbox settings list
signalbox settings get KEY
signalbox settings set KEY VALUE

Reads and writes settings, beside a running panel or without one.
`;

const Rows = z.array(z.object({ key: z.string(), value: z.string() }));

export async function settings(argv: readonly string[]): Promise<number> {
  const [verb, key, value, ...more] = argv;
  if (verb === "list" && key === undefined) {
    for (const row of Rows.parse(await onPanel("settings list", {}))) process.stdout.write(`${row.key}=${row.value}\n`);
    return EXIT.done;
  }
  if (verb === "get" && key !== undefined && value === undefined) {
    process.stdout.write(`${z.string().parse(await onPanel("settings get", { key }))}\n`);
    return EXIT.done;
  }
  if (verb === "set" && key !== undefined && value !== undefined && more.length === 0) {
    await onPanel("settings set", { key, value });
    return EXIT.done;
  }
  process.stderr.write(SETTINGS_HELP);
  return EXIT.usage;
}
