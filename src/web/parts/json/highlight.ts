// JSON text in pieces, for colours. Text that is not JSON yet has pieces too.

export interface Piece {
  readonly kind: "key" | "text" | "number" | "word" | "plain";
  readonly text: string;
}

const PIECES = /"(?:[^"\\\n]|\\.)*"?(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(PIECES)) {
    if (match.index > at) pieces.push({ kind: "plain", text: text.slice(at, match.index) });
    pieces.push({ kind: kindOf(match[0], match[1]), text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: "plain", text: text.slice(at) });
  return pieces;
}

function kindOf(text: string, colon: string | undefined): Piece["kind"] {
  if (text.startsWith('"')) return colon === undefined ? "text" : "key";
  return /^[-\d]/.test(text) ? "number" : "word";
}
