// A span of time as people say it: whole minutes, hours or days, in words of a language.

/** `locale` as `Intl` names it. */
export function roughSpan(seconds: number, locale: string): string {
  const [size, unit] = seconds < 7200 ? [60, "minute"] : seconds < 172_800 ? [3600, "hour"] : [86_400, "day"];
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.round(seconds / size));
}
