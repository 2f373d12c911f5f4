// A button of one icon that stands in many rows: one element, where the component library's has four and asks its theme
// for each.
import type { ComponentProps } from "react";
import classes from "./controls.module.css";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "type" | "className"> {
  /** What it does: it has no text. */
  readonly "aria-label": string;
  /** 22, 28 and 44 pixels; the last is for a thumb. */
  readonly size?: "sm" | "md" | "thumb";
  /** It has just done it. */
  readonly isDone?: boolean;
}

export function IconButton({ size = "sm", isDone = false, ...rest }: IconButtonProps) {
  return (
    <button type="button" className={classes["icon"]} data-size={size} data-done={isDone || undefined} {...rest} />
  );
}
