// A month of days to choose from, Jalali. A chunk of its own: it brings the calendar's arithmetic.
import { DayPicker, enUS, faIR } from "@daypicker/persian";
import { ru, zhCN } from "react-day-picker/locale";
import "react-day-picker/style.css";
import { monthNames, weekdayNames } from "../../format/calendar-names.ts";
import { LANGUAGES, type Language } from "../../words/language.ts";
import { useLanguage } from "../../words/words.ts";
import { useDayPicking, type DaysProps } from "./day-picking.ts";

/** The calendar's own week, whatever the language. */
const SATURDAY = 6;

export default function JalaliDays(props: DaysProps) {
  const { language } = useLanguage();
  return (
    <DayPicker
      {...useDayPicking(props)}
      locale={localeOf(language)}
      weekStartsOn={SATURDAY}
      numerals={language === "fa" ? "arabext" : "latn"}
    />
  );
}

/** The library speaks Persian and English; months and days of the rest are the browser's. */
function localeOf(language: Language): typeof enUS {
  if (language === "fa") return faIR;
  if (language === "en") return enUS;
  const { locale } = LANGUAGES[language];
  const { labels } = language === "ru" ? ru : zhCN;
  const fixed = Object.fromEntries(Object.entries(labels ?? {}).filter(([, label]) => typeof label === "string"));
  const format = new Intl.DateTimeFormat(locale, {
    calendar: "persian",
    weekday: "long",
    month: "long",
    day: "numeric",
  });
  const dayName = (date: Date) => format.format(date);
  const months = monthNames(locale, "persian");
  const days = weekdayNames(locale, "short");
  return {
    ...enUS,
    labels: { ...enUS.labels, ...fixed, labelDayButton: dayName, labelGridcell: dayName },
    localize: {
      ...enUS.localize,
      month: (month) => months[month]?.label ?? "",
      day: (day) => days.find(({ value }) => value === day)?.label ?? "",
    },
  };
}
