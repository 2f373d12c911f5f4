// A drawing that the reader can move: by drag, wheel, two fingers, a map next to the buttons, and keys. It starts at
// the actor's state, large enough to read.
import { ActionIcon } from "@mantine/core";
import {
  IconFocusCentered,
  IconListDetails,
  IconMaximize,
  IconMinus,
  IconPlus,
  IconSitemap,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useKeys } from "../browser/keys.ts";
import { useWords } from "../words/words.ts";
import classes from "./canvas.module.css";
import type { Geometry, Rectangle } from "./geometry.ts";
import { MiniMap } from "./MiniMap.tsx";
import { useView } from "./use-view.ts";

export interface Detail {
  readonly shown: boolean;
  readonly toggle: () => void;
}

interface ChartCanvasProps {
  readonly geometry: Geometry;
  /** The state to begin at, and to return to. */
  readonly centre?: string | undefined;
  /** What should be seen with it as far as there is room, the most important first. */
  readonly around?: readonly Rectangle[] | undefined;
  /** Go with `centre` as it changes, until the person moves the drawing. */
  readonly follow?: boolean | undefined;
  /** The scale at which all of it may be shown at the start. */
  readonly readable?: number | undefined;
  /** Between all names and all that the chart says, where there are both. */
  readonly detail?: Detail | undefined;
  /** What its lines mean, beside the buttons. */
  readonly legend?: ReactNode;
  /** The drawing. */
  readonly children: ReactNode;
}

const STEP = 1.3;
const NOTHING: readonly Rectangle[] = [];

export function ChartCanvas(props: ChartCanvasProps) {
  const { geometry, centre, around = NOTHING, follow = false, readable, detail, legend, children } = props;
  const words = useWords("chart");
  const { frame, paper, seen, zoomBy, showAll, showCentre, showPlace, reveal } = useView(
    geometry,
    centre,
    around,
    follow,
    readable,
  );
  const larger = () => zoomBy(STEP);
  const smaller = () => zoomBy(1 / STEP);
  useKeys({
    "+": { label: words.zoomIn, run: larger },
    "-": { label: words.zoomOut, run: smaller },
    "0": { label: words.fit, run: showAll },
    ".": { label: words.centre, run: showCentre, enabled: centre !== undefined },
    d: {
      label: detail?.shown ? words.whole : words.detail,
      run: () => detail?.toggle(),
      enabled: detail !== undefined,
    },
  });
  return (
    <div className={classes["canvas"]} role="region" aria-label={words.canvas}>
      <div className={classes["sight"]}>
        <div ref={frame} className={classes["frame"]} onFocus={(event) => reveal(event.target)}>
          <div ref={paper} className={classes["paper"]}>
            {children}
          </div>
        </div>
      </div>
      <div className={classes["tools"]}>
        <Tool label={words.zoomIn} sign={<IconPlus size={16} />} onClick={larger} />
        <Tool label={words.zoomOut} sign={<IconMinus size={16} />} onClick={smaller} />
        <Tool label={words.fit} sign={<IconMaximize size={16} />} onClick={showAll} />
        {centre !== undefined && (
          <Tool label={words.centre} sign={<IconFocusCentered size={16} />} onClick={showCentre} />
        )}
        {detail && (
          <Tool
            label={detail.shown ? words.whole : words.detail}
            sign={detail.shown ? <IconSitemap size={16} /> : <IconListDetails size={16} />}
            onClick={detail.toggle}
          />
        )}
        {legend}
        <MiniMap geometry={geometry} lit={centre} seen={seen} onPlace={showPlace} />
      </div>
    </div>
  );
}

function Tool({
  label,
  sign,
  onClick,
}: {
  readonly label: string;
  readonly sign: ReactNode;
  readonly onClick: () => void;
}) {
  return (
    <ActionIcon variant="default" aria-label={label} title={label} onClick={onClick} className={classes["tool"] ?? ""}>
      {sign}
    </ActionIcon>
  );
}
