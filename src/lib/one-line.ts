// Text that is shown or written as one line, whatever is stored: old names from before a rule, names from other
// systems, and names made from parts.

/** Control characters, separators of lines, and the characters that turn the direction of what follows. */
const UNSHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** One line of well-formed text that reads in its own direction; what does not belong there is a space. */
export function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(UNSHOWN, " ").trim();
}
