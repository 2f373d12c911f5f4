// A box to tick that stands in many rows, as one element.
import type { ComponentProps } from "react";
import classes from "./controls.module.css";

export interface TickProps extends Omit<ComponentProps<"input">, "type" | "className" | "size" | "ref"> {
  readonly "aria-label": string;
  /** Some of what it stands for is ticked. */
  readonly indeterminate?: boolean;
  /** 16 and 24 pixels. */
  readonly size?: "sm" | "md";
}

export function Tick({ indeterminate = false, size = "sm", ...rest }: TickProps) {
  return (
    <input
      type="checkbox"
      className={classes["tick"]}
      data-size={size}
      // No attribute says it.
      ref={(box) => {
        if (box) box.indeterminate = indeterminate;
      }}
      {...rest}
    />
  );
}
