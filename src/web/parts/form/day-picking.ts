// What both calendars of the date input share.
import type { CivilDate } from "../../format/dates.ts";
import { useLanguage } from "../../words/words.ts";
import { LANGUAGES } from "../../words/language.ts";
import classes from "./days.module.css";

export interface DaysProps {
  /** Gregorian. */
  readonly value: CivilDate | undefined;
  readonly onChoose: (day: CivilDate) => void;
}

/** Properties of a day picker. It speaks of days at the browser's midnight; only their numbers count. */
export function useDayPicking({ value, onChoose }: DaysProps) {
  const { language } = useLanguage();
  const day = value && new Date(value.year, value.month - 1, value.day);
  const today = new Date();
  return {
    mode: "single",
    selected: day,
    defaultMonth: day ?? today,
    onSelect: (chosen: Date | undefined) =>
      chosen && onChoose({ year: chosen.getFullYear(), month: chosen.getMonth() + 1, day: chosen.getDate() }),
    dir: LANGUAGES[language].direction,
    captionLayout: "dropdown",
    startMonth: new Date(today.getFullYear() - 1, 0),
    endMonth: new Date(today.getFullYear() + 10, 11),
    className: classes["days"] ?? "",
  } as const;
}
