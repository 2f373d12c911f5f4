// Announces changes to screen readers, at most every five seconds: nobody can follow constant announcements.
import { VisuallyHidden } from "@mantine/core";
import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 5000;

export function Announcer({ text }: { readonly text: string }) {
  const [said, setSaid] = useState(text);
  const last = useRef(0);
  useEffect(() => {
    if (text === said) return undefined;
    const timer = window.setTimeout(
      () => {
        last.current = Date.now();
        setSaid(text);
      },
      Math.max(0, last.current + PAUSE_MS - Date.now()),
    );
    return () => window.clearTimeout(timer);
  }, [text, said]);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {said}
    </VisuallyHidden>
  );
}
