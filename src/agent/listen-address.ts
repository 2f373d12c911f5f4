// `HOST:PORT` as it is typed on the command line.
import { z } from "zod";
import { readListenPlace } from "../lib/listen-place.ts";

/** IPv6 hosts are in brackets. Port 0 takes a free one. */
export const ListenAddress = z.string().transform((text, context) => {
  const place = readListenPlace(text);
  if (!place) {
    context.issues.push({ code: "custom", message: "is no HOST:PORT", input: text });
    return z.NEVER;
  }
  return { host: place.host, port: place.port };
});
export type ListenAddress = z.output<typeof ListenAddress>;
