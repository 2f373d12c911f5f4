// A drawing to move about in: drag, wheel at the pointer, two fingers, and keys. Begins where the actor is, large enough to read. Load it lazily.
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconFocusCentered, IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import type { KeyboardEvent, ReactNode } from "react";
import { useWords } from "../words/words.ts";
import classes from "./canvas.module.css";
import type { Geometry } from "./geometry.ts";
import { useView } from "./use-view.ts";

interface ChartCanvasProps {
  readonly geometry: Geometry;
  /** The state to begin at, and to return to. */
  readonly centre?: string | undefined;
  /** Go with `centre` as it changes, until the person moves the drawing. */
  readonly follow?: boolean | undefined;
  /** The drawing. */
  readonly children: ReactNode;
}

const STEP = 1.3;

const ACTIONS: Readonly<Record<string, "in" | "out" | "all" | "centre">> = {
  "+": "in",
  "=": "in",
  "-": "out",
  _: "out",
  "0": "all",
  ".": "centre",
};

export default function ChartCanvas({ geometry, centre, follow = false, children }: ChartCanvasProps) {
  const words = useWords("chart");
  const { frame, paper, zoomBy, showAll, showCentre, reveal } = useView(geometry, centre, follow);
  const actions = { in: () => zoomBy(STEP), out: () => zoomBy(1 / STEP), all: showAll, centre: showCentre };

  function keyed(event: KeyboardEvent) {
    const action = ACTIONS[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    actions[action]();
  }

  return (
    <div className={classes["canvas"]} onKeyDown={keyed} role="region" aria-label={words.canvas}>
      <div ref={frame} className={classes["frame"]} onFocus={(event) => reveal(event.target)}>
        <div ref={paper} className={classes["paper"]}>
          {children}
        </div>
      </div>
      <div className={classes["tools"]}>
        <Tool label={words.zoomIn} sign={<IconPlus size={16} />} onClick={actions.in} />
        <Tool label={words.zoomOut} sign={<IconMinus size={16} />} onClick={actions.out} />
        <Tool label={words.fit} sign={<IconMaximize size={16} />} onClick={actions.all} />
        {centre !== undefined && <Tool label={words.centre} sign={<IconFocusCentered size={16} />} onClick={actions.centre} />}
      </div>
    </div>
  );
}

function Tool({ label, sign, onClick }: { readonly label: string; readonly sign: ReactNode; readonly onClick: () => void }) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon variant="default" aria-label={label} onClick={onClick} className={classes["tool"] ?? ""}>
        {sign}
      </ActionIcon>
    </Tooltip>
  );
}
