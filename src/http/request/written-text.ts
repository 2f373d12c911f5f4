// What people may write in names, remarks and notes: every letter of every script, and nothing that makes a line look
// like another one or ends it.
//
// Refused are control characters (C0, C1, DEL), the separators of lines and paragraphs, and the characters that turn
// the direction of what follows (U+202A to U+202E, U+2066 to U+2069): with them a name rewrites a terminal, forges a
// log line, or reads backwards. Kept are the joiners U+200C and U+200D, which Persian and emoji are written with, and
// the marks U+200E, U+200F and U+061C, which say the direction of one place and change nothing after it.
//
// The patterns are part of the API's description: they are plain ranges, so that every dialect of regular expressions
// reads them.
import { z } from "zod";
import { matching, rule, type Rule } from "../refusals/rules.ts";

// oxlint-disable-next-line no-control-regex
const LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/;
/** With tabs and line ends. */
// oxlint-disable-next-line no-control-regex
const PARAGRAPHS = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/;
const TURNS = /[\u202a-\u202e\u2066-\u2069]/;

/** The rule that a refused text broke. */
function broken(text: string): Rule {
  return rule(TURNS.test(text) ? "direction_characters" : "control_characters");
}

const written = (pattern: RegExp, max: number) => z.string().max(max).check(matching(pattern, broken));

/** One line of text of at most `max` characters. */
export const line = (max: number) => written(LINE, max);

/** Text of at most `max` characters in as many lines as it has. */
export const paragraphs = (max: number) => written(PARAGRAPHS, max);

/**
 * The rule that a line breaks; undefined for one that breaks none. For texts that come as keys or parts of something.
 */
export function brokenLineRule(text: string): Rule | undefined {
  return LINE.test(text) ? undefined : broken(text);
}
