// The figures of a plot as a table, closed until it is opened.
import { useWords } from "../../words/words.ts";
import { useFormat } from "../../format/use-format.ts";
import type { DateStyle } from "../../format/dates.ts";
import classes from "./plot.module.css";
import type { PlotRow, PlotSeries } from "./scale.ts";

export interface PlotTableProps {
  readonly label: string;
  readonly series: readonly PlotSeries[];
  readonly rows: readonly PlotRow[];
  readonly show: (value: number) => string;
  readonly moments: DateStyle;
}

export function PlotTable({ label, series, rows, show, moments }: PlotTableProps) {
  const words = useWords("parts").plot;
  const format = useFormat();
  return (
    <details className={classes["table"]}>
      <summary>{words.table}</summary>
      <div className={classes["scroll"]} tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.time}</th>
              {series.map(({ id, name }) => (
                <th key={id} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ at, values }) => (
              <tr key={at}>
                <th scope="row">{format.date(at, moments)}</th>
                {values.map((value, index) => (
                  <td key={series[index]?.id}>{value === null ? words.unknown : show(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
