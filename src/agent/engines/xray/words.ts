// How Xray's refusals read, and the two units of the stored dialect that Xray writes differently.
import { speakerFor } from "../rays/refusal.ts";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

export const xray = speakerFor("xray");

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A Go duration such as `1m30s` or `1d` in whole milliseconds. */
export function milliseconds(duration: string, field: string): number {
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/.test(duration))
    throw new Refusal(reason("malformed", field, duration, "1m30s"));
  let sum = 0;
  for (const [, count = "0", unit = "ms"] of duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g))
    sum += Number(count) * (UNITS[unit] ?? 0);
  return Math.round(sum);
}

/** `host:port`, with brackets around an IPv6 address. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
