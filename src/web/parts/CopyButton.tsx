// Copy: one click, an answer in place. Where the browser refuses, the text stands there selected, with the reason.
import { Button } from "@mantine/core";
import { lazy, Suspense, useEffect, useState } from "react";
import { useWords } from "../words/words.ts";
import { IconButton } from "./controls/IconButton.tsx";
import { RowIcon } from "./controls/RowIcon.tsx";
import { copyText } from "./copy.ts";

export interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for the tip and for screen readers: "Copy link". */
  readonly label?: string;
  /** A button with its label instead of an icon. */
  readonly wide?: boolean;
  readonly size?: "sm" | "md";
  /** Has the focus when it appears: Enter copies. */
  readonly autoFocus?: boolean;
  readonly variant?: "filled" | "light" | "default" | "subtle";
  readonly onCopied?: () => void;
}

const CopyRefused = lazy(() => import("./CopyRefused.tsx"));

const focusOnce = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true });

export function CopyButton(props: CopyButtonProps) {
  const { value, label, wide, size = "sm", variant = "default", autoFocus, onCopied } = props;
  const words = useWords("parts");
  const [outcome, setOutcome] = useState<"" | "copied" | "refused">("");
  useEffect(() => {
    if (outcome !== "copied") return undefined;
    const timer = setTimeout(() => setOutcome(""), 1600);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    const copied = await copyText(value);
    setOutcome(copied ? "copied" : "refused");
    if (copied) onCopied?.();
  };
  const name = outcome === "copied" ? words.copied : (label ?? words.copy);
  const shape = outcome === "copied" ? "done" : "copy";
  return (
    <>
      {wide ? (
        <Button
          variant={variant}
          size={size}
          leftSection={<RowIcon shape={shape} size={16} />}
          onClick={() => void copy()}
          disabled={value === ""}
          ref={autoFocus ? focusOnce : null}
        >
          <span aria-live="polite">{name}</span>
        </Button>
      ) : (
        <IconButton
          isDone={outcome === "copied"}
          size={size}
          aria-label={name}
          title={name}
          disabled={value === ""}
          onClick={(event) => {
            event.stopPropagation();
            void copy();
          }}
        >
          <RowIcon shape={shape} size={size === "md" ? 18 : 15} />
        </IconButton>
      )}
      {outcome === "refused" ? (
        <Suspense>
          <CopyRefused value={value} label={label ?? words.copy} onClose={() => setOutcome("")} />
        </Suspense>
      ) : null}
    </>
  );
}
