// What a person chose about how things are shown, calendar and time zone.
import { createContext, useContext } from "react";
import type { Language } from "../words/language.ts";
import { kept } from "./use-kept.ts";

export type Calendar = "gregory" | "persian";
/** The time zone that times are shown in: the panel's, or this browser's. */
export type Zone = "panel" | "browser";

export interface Choices {
  readonly calendar: Calendar;
  readonly zone: Zone;
}

export interface Preferences extends Choices {
  /** IANA name of the zone in use. */
  readonly timeZone: string;
  readonly choose: (choices: Partial<Choices>) => void;
  readonly language: Language;
  /** Loads the words, then shows everything in them. */
  readonly chooseLanguage: (language: Language) => void;
  /** What is kept may be other than before. */
  readonly readAgain: () => void;
}

export const PreferencesContext = createContext<Preferences | undefined>(undefined);

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (!preferences) throw new Error("preferences are used outside their provider");
  return preferences;
}

/** What was chosen in this browser, and nothing else: what was not follows the language as it changes. */
export function storedChoices(): Partial<Choices> {
  const text = kept.get("shown");
  if (text === null) return {};
  try {
    const { calendar, zone } = JSON.parse(text) as Partial<Choices>;
    return {
      ...(calendar === "gregory" || calendar === "persian" ? { calendar } : {}),
      ...(zone === "browser" || zone === "panel" ? { zone } : {}),
    };
  } catch {
    return {};
  }
}

/** A Persian reader begins with the Jalali calendar, everybody with the panel's zone. */
export function choicesIn(language: Language, chosen: Partial<Choices>): Choices {
  return { calendar: language === "fa" ? "persian" : "gregory", zone: "panel", ...chosen };
}

export function storeChoices(choices: Partial<Choices>): void {
  kept.set("shown", JSON.stringify(choices));
}

/** This browser's zone, where it says one. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The zone that is meant, or the browser's where this browser does not know it. */
export function zoneInUse(zone: Zone, panel: string): string {
  if (zone === "browser" || panel === "") return browserZone();
  try {
    return new Intl.DateTimeFormat("en", { timeZone: panel }).resolvedOptions().timeZone;
  } catch {
    return browserZone();
  }
}
