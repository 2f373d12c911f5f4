// `HOST:PORT` as it is typed on the command line.
import { z } from "zod";

/** IPv6 hosts are in brackets. Port 0 takes a free one. */
export const ListenAddress = z.string().transform((text, context) => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    context.issues.push({ code: "custom", message: "is no HOST:PORT", input: text });
    return z.NEVER;
  }
  return { host: match[1] ?? match[2] ?? "", port };
});
export type ListenAddress = z.output<typeof ListenAddress>;
