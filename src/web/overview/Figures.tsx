// What the fleet moved and how the accounts came and went: loaded after the rest of the overview, which needs no plots.
import { AccountFigures } from "./AccountFigures.tsx";
import classes from "./overview.module.css";
import { TrafficFigures } from "./TrafficFigures.tsx";

export default function Figures() {
  return (
    <div className={classes["figures"]}>
      <TrafficFigures />
      <AccountFigures />
    </div>
  );
}
