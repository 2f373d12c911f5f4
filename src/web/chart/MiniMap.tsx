// The whole drawing beside the buttons, with what is seen of it framed: press or drag there to go elsewhere. For who
// sees and points; keys and names are the drawing's own.
import type { PointerEvent, Ref } from "react";
import classes from "./canvas.module.css";
import type { Geometry } from "./geometry.ts";

interface MiniMapProps {
  readonly geometry: Geometry;
  /** The state that the actor is in. */
  readonly lit: string | undefined;
  /** The frame of what is seen: moved by who moves the drawing, without rendering. */
  readonly seen: Ref<SVGRectElement>;
  /** A place of the drawing that is to come into the middle. */
  readonly onPlace: (x: number, y: number) => void;
}

/** Pixels that it may take. */
const ROOM = { width: 190, height: 54 } as const;

export function MiniMap({ geometry, lit, seen, onPlace }: MiniMapProps) {
  const { width, height, boxes } = geometry;
  const scale = Math.min(ROOM.width / width, ROOM.height / height);
  const go = (event: PointerEvent<SVGSVGElement>) => {
    // As it stands on the screen: a phone shows it smaller.
    const shown = event.currentTarget.getBoundingClientRect();
    onPlace(
      ((event.clientX - shown.left) * width) / shown.width,
      ((event.clientY - shown.top) * height) / shown.height,
    );
  };
  return (
    <svg
      className={classes["map"]}
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      data-map
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    >
      {Object.entries(boxes).map(([id, [x, y, wide, high]]) => (
        <rect
          key={id}
          className={classes["mapBox"]}
          data-lit={id === lit || undefined}
          x={x}
          y={y}
          width={wide}
          height={high}
          rx={14}
        />
      ))}
      <rect ref={seen} className={classes["seen"]} rx={16} />
    </svg>
  );
}
