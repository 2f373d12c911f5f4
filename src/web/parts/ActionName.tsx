// What an action does; below it why it cannot be done now.
import classes from "./table/table.module.css";

export function ActionName({ name, disabled }: { readonly name: string; readonly disabled: string | undefined }) {
  if (disabled === undefined) return name;
  return (
    <span>
      {name}
      <small className={classes["whyNot"]}>{disabled}</small>
    </span>
  );
}
