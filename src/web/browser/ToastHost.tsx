// Holds the place of the messages until there is one.
import { lazy, Suspense, useEffect, useState } from "react";
import { hostToasts } from "./toasts.tsx";

const ToastList = lazy(() => import("./ToastList.tsx"));

export function ToastHost() {
  const [begun, begin] = useState(false);
  useEffect(() => hostToasts(() => begin(true)), []);
  // There before the first message: screen readers read what comes into a live region, not what comes along with one.
  return (
    <div aria-live="polite" aria-relevant="additions">
      <Suspense>{begun ? <ToastList /> : null}</Suspense>
    </div>
  );
}
