// Holds the place of the messages until there is one.
import { lazy, Suspense, useEffect, useState } from "react";
import { hostToasts } from "./toasts.tsx";

const ToastList = lazy(() => import("./ToastList.tsx"));

export function ToastHost() {
  const [begun, begin] = useState(false);
  useEffect(() => hostToasts(() => begin(true)), []);
  return <Suspense>{begun ? <ToastList /> : null}</Suspense>;
}
