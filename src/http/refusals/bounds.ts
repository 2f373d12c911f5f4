// How much a refusal says: it costs less than what it answers. Whatever is wrong a thousand times is told twenty times
// and counted, and what a caller wrote is repeated in part (rule http.error.11).

/** Issues that a refusal lists. */
export const MOST_ISSUES = 20;
/** Characters of a name in a path or beside a rule. */
const NAME = 128;
/** Characters of a path. */
const PATH = 256;
/** Characters of a sentence. The longest of the panel's own lists what may be chosen. */
const SENTENCE = 2048;

export const shortName = (name: string): string => shortened(name, NAME);
export const shortPath = (path: string): string => shortened(path, PATH);
export const shortSentence = (sentence: string): string => shortened(sentence, SENTENCE);

/** At most so many characters; the last one says that there were more. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // No half of a surrogate pair is left at the end.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
