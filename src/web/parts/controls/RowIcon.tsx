// Icons of many rows, each as one path: the icon package draws a code of twelve, and a long list is drawn again with
// every turn of the wheel.

const dot = (x: number) => `M${x - 1} 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0`;

const SHAPES = {
  // Three corners, and some dots of the fourth.
  code: "M4 4h6v6h-6zM14 4h6v6h-6zM4 14h6v6h-6zM14 14h2M20 14v2M14 18v2M17.5 17.5h2.5M18 20.5h2",
  // A sheet before another.
  copy: "M10 8h8a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2v-8a2 2 0 0 1 2 -2zM4 15v-9a2 2 0 0 1 2 -2h9",
  done: "M5 12.5l4.5 4.5l9.5 -10",
  dots: `${dot(5)}${dot(12)}${dot(19)}`,
} as const;

export function RowIcon({ shape, size }: { readonly shape: keyof typeof SHAPES; readonly size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={SHAPES[shape]} />
    </svg>
  );
}
