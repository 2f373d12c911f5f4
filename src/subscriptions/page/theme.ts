// How the page looks and what it says of the operator's own: setting `sub_theme`, as JSON.
import { z } from "zod";
import { line, paragraphs } from "../../http/index.ts";
import { LANGUAGE_CODES } from "./language.ts";
import { PICTURE } from "./html.ts";

/** Characters of a logo's address: about 12 kB of picture. The page has to stay small. */
export const LOGO_LENGTH = 16_384;

export const ThemeTexts = z.strictObject({
  /** Above all else. */
  notice: paragraphs(500).default("").describe("on top of the page"),
  /** Below all else. */
  footer: paragraphs(500).default("").describe("at the end of the page"),
});

export const SubTheme = z.strictObject({
  /** Empty: `sub_title`, else the page's own words. */
  title: line(64).default("").describe("of the page; empty: `sub_title`"),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .default("#4348c7")
    .describe("of buttons and marks"),
  /** A picture in the address itself, since the page loads nothing; empty: none. */
  logo: z
    .string()
    .max(LOGO_LENGTH)
    .refine((value) => value === "" || PICTURE.test(value))
    .default("")
    .describe("a picture as `data:` address"),
  scheme: z.enum(["auto", "light", "dark"]).default("auto").describe("light or dark; `auto`: as the device has it"),
  /** For browsers that ask for none of the page's languages. */
  language: z.enum(LANGUAGE_CODES).default("en").describe("for browsers that ask for none of these"),
  /** Whether servers are listed one by one. */
  servers: z.boolean().default(true).describe("whether servers are listed one by one"),
  texts: z.partialRecord(z.enum(LANGUAGE_CODES), ThemeTexts).default({}).describe("by language"),
});
export type SubTheme = z.infer<typeof SubTheme>;

export const DEFAULT_THEME: SubTheme = SubTheme.parse({});
