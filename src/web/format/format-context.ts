// Which calendar and zone dates are shown in: the person's choice, given by the shell.
import { createContext } from "react";
import type { Calendar } from "./dates.ts";

export interface FormatChoice {
  /** Undefined: the language's own. */
  readonly calendar: Calendar | undefined;
  /** IANA name; undefined: the browser's. */
  readonly timeZone: string | undefined;
}

export const FormatContext = createContext<FormatChoice>({ calendar: undefined, timeZone: undefined });
