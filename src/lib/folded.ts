// Texts as a search compares them: in small letters, and alike where keyboards write differently what readers take for
// the same.

/** Letters that Arabic and Persian keyboards write differently, and the end form of the Greek sigma. */
const LETTERS: Readonly<Record<string, string>> = {
  "\u064a": "\u06cc",
  "\u0649": "\u06cc",
  "\u0643": "\u06a9",
  "\u03c2": "\u03c3",
};
/** Digits of those keyboards. */
const DIGITS = "\u0660-\u0669\u06f0-\u06f9";
const FOREIGN = new RegExp(`[${Object.keys(LETTERS).join("")}${DIGITS}]`, "g");

/** Two texts that a search takes for the same are equal once folded. */
export function folded(text: string): string {
  return text.toLowerCase().replace(FOREIGN, (letter) => LETTERS[letter] ?? String(letter.charCodeAt(0) & 15));
}
