// A titled part of the actor's page.
import { useId, type ReactNode } from "react";
import classes from "./facts.module.css";

export function Section({
  title,
  beside,
  children,
}: {
  readonly title: string;
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes["section"]} aria-labelledby={id}>
      <div className={classes["sectionHead"]}>
        <h2 id={id}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}
