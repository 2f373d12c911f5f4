// Numbers in the digits and separators of a language.

const formats = new Map<string, Intl.NumberFormat>();

/** One format object for each combination: making them is what costs. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale, options)));
  return format;
}

export function formatNumber(value: number, locale: string): string {
  return numberFormat(locale).format(value);
}

/** `12.4K`; below ten thousand every digit. British English writes a million as `m`, which is read as milli. */
export function formatCompact(value: number, locale: string): string {
  return value < 10_000
    ? formatNumber(value, locale)
    : numberFormat(locale.startsWith("en") ? "en" : locale, { notation: "compact", maximumFractionDigits: 1 }).format(
        value,
      );
}

/** A share of 1 as whole per cent; never 100 % before it is reached, never 0 % of something. */
export function formatPercent(share: number, locale: string): string {
  const shown = share > 0 && share < 0.01 ? 0.01 : share < 1 ? Math.min(share, 0.99) : share;
  return numberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(shown);
}
