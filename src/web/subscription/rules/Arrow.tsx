// From a condition to its answer, in the direction of reading.
import classes from "../subscription.module.css";

export function Arrow() {
  return <span className={classes["arrow"]}>→</span>;
}
