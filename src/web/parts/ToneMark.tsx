// The shape of a tone: who cannot tell the colours apart sees a disc, a ring, a cross, a dash or a turning arc.
import classes from "./state.module.css";
import { toneColour, type Tone } from "./tone.ts";

const SHAPES: Readonly<Record<Tone, React.ReactNode>> = {
  ok: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  waiting: <path d="M6 2a4 4 0 1 0 0 8a4 4 0 1 0 0-8M6 3.8V6.2L7.6 7.2" />,
  failed: <path d="M3 3l6 6M9 3l-6 6" />,
  off: <path d="M2.5 6h7" />,
  running: <path d="M6 2a4 4 0 1 1-4 4" />,
};

export function ToneMark({ tone, size = 12 }: { readonly tone: Tone; readonly size?: number }) {
  return (
    <svg
      className={classes["mark"]}
      data-tone={tone}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth={tone === "ok" ? 0 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ color: toneColour(tone) }}
      aria-hidden
    >
      {SHAPES[tone]}
    </svg>
  );
}
