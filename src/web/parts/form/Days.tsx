// A month of days to choose from, Gregorian. A chunk of its own.
import { DayPicker } from "react-day-picker";
import { enGB, faIR, ru, zhCN } from "react-day-picker/locale";
import "react-day-picker/style.css";
import { useLanguage } from "../../words/words.ts";
import { useDayPicking, type DaysProps } from "./day-picking.ts";

const LOCALES = { en: enGB, fa: faIR, ru, zh: zhCN } as const;

export default function Days(props: DaysProps) {
  const { language } = useLanguage();
  return (
    <DayPicker {...useDayPicking(props)} locale={LOCALES[language]} numerals={language === "fa" ? "arabext" : "latn"} />
  );
}
