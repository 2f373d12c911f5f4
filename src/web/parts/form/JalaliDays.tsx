// A month of days to choose from, Jalali. A chunk of its own: it brings the calendar's arithmetic.
import { DayPicker, enUS, faIR } from "@daypicker/persian";
import "react-day-picker/style.css";
import { useLanguage } from "../../words/words.ts";
import { useDayPicking, type DaysProps } from "./day-picking.ts";

export default function JalaliDays(props: DaysProps) {
  const { language } = useLanguage();
  const spoken = language === "fa";
  return <DayPicker {...useDayPicking(props)} locale={spoken ? faIR : enUS} numerals={spoken ? "arabext" : "latn"} />;
}
