// Names from a pattern: `{n}` is a number, `{n:4}` one of at least four digits, `{rand:6}` six letters and digits.
// Pages show with it what a panel will make.

type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly digits: number }
  | { readonly kind: "random"; readonly length: number };

export type NamePattern = readonly Piece[];

const MOST_DIGITS = 12;
const MOST_RANDOM = 32;

/** Undefined: it has a brace that is none of these, or a size out of range. */
export function readPattern(pattern: string): NamePattern | undefined {
  const pieces: Piece[] = [];
  for (const [whole, name, size, text] of pattern.matchAll(/\{(n|rand)(?::(\d{1,3}))?\}|([^{}]+)|[{}]/g)) {
    if (text !== undefined) pieces.push({ kind: "text", text });
    else if (name === "n") pieces.push({ kind: "number", digits: Number(size ?? 1) });
    else if (name === "rand" && size !== undefined) pieces.push({ kind: "random", length: Number(size) });
    else if (whole !== "") return undefined;
  }
  const fits = pieces.every((piece) => {
    if (piece.kind === "number") return piece.digits >= 1 && piece.digits <= MOST_DIGITS;
    return piece.kind === "text" || (piece.length >= 1 && piece.length <= MOST_RANDOM);
  });
  return fits ? pieces : undefined;
}

/** Whether each of its names is another one. */
export function varies(pattern: NamePattern): boolean {
  return pattern.some(({ kind }) => kind !== "text");
}

/** `random`: so many letters and digits. */
export function nameFrom(pattern: NamePattern, number: number, random: (length: number) => string): string {
  return pattern
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      return piece.kind === "number" ? String(number).padStart(piece.digits, "0") : random(piece.length);
    })
    .join("");
}
