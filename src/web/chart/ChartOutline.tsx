// A chart as a nested list: for charts without a drawing of their version, and for who reads with the ears.
import { useWords } from "../words/words.ts";
import { anyOf, type Box, type ChartGraph, type Wire } from "./graph.ts";
import { labelsOf } from "./labels.ts";
import { rowText } from "./metrics.ts";
import classes from "./outline.module.css";

export interface ChartOutlineProps {
  readonly graph: ChartGraph;
  readonly lit?: string | undefined;
  readonly counts?: ReadonlyMap<string, number> | undefined;
  readonly flow?: ReadonlyMap<string, number> | undefined;
  readonly hrefOf?: ((state: string) => string) | undefined;
  readonly onState?: ((state: string) => void) | undefined;
  /** Why a list is shown instead of a drawing. */
  readonly instead?: "outdated" | "undrawn" | undefined;
}

export function ChartOutline(props: ChartOutlineProps) {
  const words = useWords("chart");
  return (
    <div className={classes["outline"]}>
      {props.instead && <p className={classes["instead"]}>{words[props.instead]}</p>}
      <States {...props} parent="" />
    </div>
  );
}

function States({ parent, ...props }: ChartOutlineProps & { readonly parent: string }) {
  const states = [...props.graph.boxes.values()].filter((box) => box.parent === parent && box.kind !== "any");
  if (states.length === 0) return null;
  return (
    <ul>
      {states.map((box) => (
        <li key={box.id}>
          <State {...props} box={box} />
          <States {...props} parent={box.id} />
        </li>
      ))}
    </ul>
  );
}

function State({ box, graph, lit, counts, flow, hrefOf, onState }: ChartOutlineProps & { readonly box: Box }) {
  const words = useWords("chart");
  const count = counts?.get(box.id) ?? 0;
  const wires = [...graph.wires.values()].filter(({ from }) => from === box.id || from === anyOf(box.id));
  const name = <bdi dir="ltr">{box.name}</bdi>;
  return (
    <div className={classes["state"]} aria-current={lit === box.id ? "true" : undefined}>
      <p className={classes["name"]}>
        {hrefOf && !box.passing ? (
          <a href={hrefOf(box.id)} onClick={onState && ((event) => (event.preventDefault(), onState(box.id)))}>
            {name}
          </a>
        ) : (
          name
        )}
        {count > 0 && <span className={classes["count"]}>{count}</span>}
        {lit === box.id && <span className={classes["here"]}>{words.here}</span>}
      </p>
      {box.meaning !== "" && <p className={classes["meaning"]}>{box.meaning}</p>}
      <ul className={classes["ways"]}>
        {box.rows
          .filter(({ kind }) => kind === "self")
          .map((row) => (
            <li key={row.id}>
              <bdi dir="ltr">
                {Object.values(rowText(row))
                  .filter((part) => part !== "")
                  .join(" ")}
              </bdi>{" "}
              {words.stays}
            </li>
          ))}
        {wires.map((wire) => (
          <li key={wire.id}>
            {wire.from !== box.id && <>{words.anyState}: </>}
            <bdi dir="ltr">{saidOf(wire)}</bdi> {words.leads} <bdi dir="ltr">{wire.to}</bdi>
            {(flow?.get(wire.id) ?? 0) > 0 && (
              <span className={classes["flow"]}>{words.perMinute(String(flow?.get(wire.id)))}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function saidOf({ triggers }: Wire): string {
  return labelsOf(triggers)
    .map(({ text, guard }) => [text, guard].filter((part) => part !== "").join(" "))
    .join("; ");
}
