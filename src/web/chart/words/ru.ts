// Words about the drawings, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export const page: Typed<typeof english.page> = {
  drawing: (kind) => `Диаграмма состояний: ${kind}`,
  here: "сейчас здесь",
  zoomIn: "Увеличить",
  zoomOut: "Уменьшить",
  fit: "Показать всё",
  detail: "Показать события и сроки",
  whole: "Показать все состояния сразу",
  centre: "Показать текущее состояние",
  canvas: "Диаграмма. Перемещайте мышью или двумя пальцами; плюс, минус и 0 меняют масштаб.",
  legend: "Что значат линии",
  tones: {
    last: "пришёл этим путём",
    takeable: "может пойти этим путём",
    ghost: "пошёл бы этим путём",
  },
  outline: "Состояния списком",
  outdated: "Диаграмма относится к другой версии. Состояния показаны списком.",
  undrawn: "Для этого автомата нет диаграммы. Состояния показаны списком.",
  leads: "ведёт в",
  stays: "остаётся",
  anyState: "из любого вложенного состояния",
  perMinute: (count) => `${count} в минуту`,
};
