// Readable colours from the one that an operator chose: text on it, and itself as text on light and dark paper.

type Rgb = readonly [number, number, number];

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Relative luminance as WCAG defines it. */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The colour, mixed with `towards` until it can be read on `paper`. */
export function readableOn(paper: string, colour: string, towards: "#000000" | "#ffffff"): string {
  const from = rgbOf(colour);
  const to = rgbOf(towards);
  for (let step = 0; step < 20; step += 1) {
    const [r, g, b] = from.map((part, index) => part + ((to[index] ?? 0) - part) * (step / 20));
    const mixed = hexOf([r ?? 0, g ?? 0, b ?? 0]);
    if (contrast(paper, mixed) >= 4.6) return mixed;
  }
  return towards;
}

/** Black or white, whichever is read better on the colour. */
export function textOn(colour: string): string {
  return contrast(colour, "#ffffff") >= contrast(colour, "#111111") ? "#ffffff" : "#111111";
}
