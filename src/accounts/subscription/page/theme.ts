// How the page looks and what it says of the operator's own: setting `sub_theme`, as JSON.
import { z } from "zod";
import { line, paragraphs } from "../../../http/index.ts";
import { LANGUAGE_CODES } from "./language.ts";
import { PICTURE } from "./html.ts";

/** Characters of a logo's address: about 12 kB of picture. The page has to stay small. */
export const LOGO_LENGTH = 16_384;

const Texts = z.strictObject({
  /** Above all else. */
  notice: paragraphs(500).default(""),
  /** Below all else. */
  footer: paragraphs(500).default(""),
});

export const SubTheme = z.strictObject({
  /** Empty: `sub_title`, else the page's own words. */
  title: line(64).default(""),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .default("#4348c7"),
  /** A picture in the address itself, since the page loads nothing; empty: none. */
  logo: z
    .string()
    .max(LOGO_LENGTH)
    .refine((value) => value === "" || PICTURE.test(value))
    .default(""),
  scheme: z.enum(["auto", "light", "dark"]).default("auto"),
  /** For browsers that ask for none of the page's languages. */
  language: z.enum(LANGUAGE_CODES).default("en"),
  /** Whether servers are listed one by one. */
  servers: z.boolean().default(true),
  texts: z.partialRecord(z.enum(LANGUAGE_CODES), Texts).default({}),
});
export type SubTheme = z.infer<typeof SubTheme>;

export const DEFAULT_THEME: SubTheme = SubTheme.parse({});
