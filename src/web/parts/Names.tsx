// Names and codes from the wire: never translated, always in their own direction, rendered as text.
import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton.tsx";
import classes from "./names.module.css";

/** A name that people gave. */
export function Name({ children }: { readonly children: string }) {
  return <bdi>{children}</bdi>;
}

/** An id, address, key or state. `copy`: with a button that copies it; `cut`: one line, cut where space ends. */
export function Code({
  children,
  copy,
  cut,
}: {
  readonly children: string;
  readonly copy?: boolean;
  readonly cut?: boolean;
}) {
  return (
    <span className={classes["code"]}>
      <bdi dir="ltr" className={cut ? classes["cut"] : classes["whole"]} title={cut ? children : undefined}>
        {children}
      </bdi>
      {copy ? <CopyButton value={children} /> : null}
    </span>
  );
}

/** What is said by the way. */
export function Dim({ children }: { readonly children: ReactNode }) {
  return <span className={classes["dim"]}>{children}</span>;
}

/** Keys to press, as caps. */
export function Keys({ children }: { readonly children: string }) {
  return (
    <span className={classes["keys"]} dir="ltr">
      {children.split(" ").map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
