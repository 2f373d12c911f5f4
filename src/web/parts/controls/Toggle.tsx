// On or off in a row, as one element.
import type { ComponentProps } from "react";
import classes from "./controls.module.css";

export interface ToggleProps extends Omit<ComponentProps<"input">, "type" | "role" | "className" | "size"> {
  readonly "aria-label": string;
}

export function Toggle(props: ToggleProps) {
  return <input type="checkbox" role="switch" className={classes["toggle"]} {...props} />;
}
