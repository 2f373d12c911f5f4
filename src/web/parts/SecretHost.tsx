// Holds the place of secrets that are shown once; their dialog is loaded with the first of them.
import { lazy, Suspense } from "react";
import { useShownSecret } from "./secrets.ts";

const SecretDialog = lazy(() => import("./SecretOnce.tsx"));

export function SecretHost() {
  const shown = useShownSecret();
  return <Suspense>{shown ? <SecretDialog /> : null}</Suspense>;
}
