// Shows what may have to wait for its code or words as soon as these are there.
//
// React shows what replaces the fallback of a boundary no sooner than 300 ms after the fallback. Here no boundary
// waits: `fallback` is its content, and what takes its place is rendered in the background.
import { startTransition, Suspense, useEffect, useState, type ReactNode } from "react";

interface LateProps {
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
  /** False: it is not wanted yet. */
  readonly when?: boolean;
}

export function Late({ fallback, children, when = true }: LateProps) {
  const [begun, begin] = useState(false);
  // Begun by an effect: one within another is rendered by itself, and the outer one does not wait for it.
  useEffect(() => {
    if (when) startTransition(() => begin(true));
  }, [when]);
  return <Suspense fallback={fallback}>{begun ? children : fallback}</Suspense>;
}
