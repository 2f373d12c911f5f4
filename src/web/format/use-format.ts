// Formatting for components: everything in the language, calendar and zone in use.
import { useContext, useMemo } from "react";
import { ltr } from "../words/isolate.ts";
import { LANGUAGES } from "../words/language.ts";
import { useLanguage } from "../words/words.ts";
import { formatBytes, formatRate } from "./bytes.ts";
import { formatDate, type Calendar, type DateStyle } from "./dates.ts";
import { formatClock, formatDuration, formatRelative, type DurationStyle } from "./durations.ts";
import { FormatContext } from "./format-context.ts";
import { formatCompact, formatNumber, formatPercent } from "./numbers.ts";

export interface Format {
  readonly locale: string;
  readonly calendar: Calendar;
  readonly timeZone: string | undefined;
  readonly number: (value: number) => string;
  /** `12.4K`. */
  readonly compact: (value: number) => string;
  readonly percent: (share: number) => string;
  readonly bytes: (bytes: number) => string;
  readonly rate: (bytesPerSecond: number) => string;
  /** Formats seconds: "2 hr 5 min". */
  readonly duration: (seconds: number, style?: DurationStyle) => string;
  /** Formats seconds: `4:05`. */
  readonly clock: (seconds: number) => string;
  /** Formats seconds from now, negative in the past: "5 minutes ago". */
  readonly relative: (delta: number, style?: "long" | "short" | "narrow") => string;
  /** Formats a moment, given in Unix seconds. */
  readonly date: (seconds: number, style?: DateStyle) => string;
}

export function useFormat(): Format {
  const { language } = useLanguage();
  const { calendar: chosen, timeZone } = useContext(FormatContext);
  return useMemo(() => {
    const { locale, direction } = LANGUAGES[language];
    // The unit is Latin: without a direction of its own it would change sides with what stands around it.
    const quantity = (text: string) => (direction === "rtl" ? ltr(text) : text);
    const calendar = chosen ?? (language === "fa" ? "persian" : "gregory");
    return {
      locale,
      calendar,
      timeZone,
      number: (value) => formatNumber(value, locale),
      compact: (value) => formatCompact(value, locale),
      percent: (share) => formatPercent(share, locale),
      bytes: (bytes) => quantity(formatBytes(bytes, locale)),
      rate: (bytes) => quantity(formatRate(bytes, locale)),
      duration: (seconds, style) => formatDuration(seconds, locale, style),
      clock: (seconds) => formatClock(seconds, locale),
      relative: (delta, style) => formatRelative(delta, locale, style),
      date: (seconds, style) => formatDate(seconds, { locale, calendar, timeZone }, style),
    };
  }, [language, chosen, timeZone]);
}
