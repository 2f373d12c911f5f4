// A box as something to stand on with the keyboard: a link where it leads to a list, a button where it only selects.
import type { MouseEvent, KeyboardEvent, ReactNode } from "react";
import classes from "./chart.module.css";
import type { Rectangle } from "./geometry.ts";
import type { Box } from "./graph.ts";

interface StopProps {
  readonly box: Box;
  readonly rectangle: Rectangle;
  /** As written; empty for none. */
  readonly count: string;
  readonly lit: boolean;
  /** Filled with a strong colour. */
  readonly hot: boolean;
  /** The tab key stops here. */
  readonly tabbed: boolean;
  readonly onFocus: (state: string) => void;
  readonly href: string | undefined;
  readonly onState: ((state: string) => void) | undefined;
  readonly children: ReactNode;
}

export function Stop({
  box,
  rectangle: [x, y, width, height],
  count,
  lit,
  hot,
  tabbed,
  onFocus,
  href,
  onState,
  children,
}: StopProps) {
  const shared = {
    className: classes["box"],
    tabIndex: tabbed ? 0 : -1,
    "data-state": box.id,
    "data-hot": hot || undefined,
    "data-clickable": href !== undefined || onState ? true : undefined,
    "aria-current": lit ? ("true" as const) : undefined,
    onFocus: () => onFocus(box.id),
  };
  // The name of the box for who cannot see it, and the tip for who can.
  const said = [count === "" ? box.name : `${box.name} ${count}`, box.id === box.name ? "" : box.id, box.meaning]
    .filter((part) => part !== "")
    .join(" · ");
  const content = (
    <>
      <title>{said}</title>
      {children}
      <rect
        className={classes["focus"]}
        x={x - 3}
        y={y - 3}
        width={width + 6}
        height={height + 6}
        rx={box.kind === "compound" ? 13 : 10}
      />
    </>
  );
  if (href !== undefined) {
    const follow = (event: MouseEvent) => {
      if (!onState || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      onState(box.id);
    };
    return (
      <a {...shared} href={href} onClick={follow}>
        {content}
      </a>
    );
  }
  if (!onState) {
    return (
      <g {...shared} role="img">
        {content}
      </g>
    );
  }
  const press = (event: KeyboardEvent) => {
    if (event.code !== "Enter" && event.code !== "Space") return;
    event.preventDefault();
    onState(box.id);
  };
  return (
    <g {...shared} role="button" onClick={() => onState(box.id)} onKeyDown={press}>
      {content}
    </g>
  );
}
