// Holds the reader's choices and applies those that concern the whole document: language and direction.
import { useDirection } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { FormatContext } from "../format/format-context.ts";
import type { Me } from "../session/me.ts";
import { LANGUAGES, loadLanguage, type Language, type LoadedWords } from "../words/language.ts";
import { useLanguage } from "../words/words.ts";
import {
  choicesIn,
  PreferencesContext,
  storeChoices,
  storedChoices,
  zoneInUse,
  type Choices,
  type Preferences,
} from "../browser/preferences.ts";
import { kept } from "../browser/use-kept.ts";

export function PreferencesProvider({
  onWords,
  children,
}: {
  readonly onWords: (words: LoadedWords) => void;
  readonly children: ReactNode;
}) {
  const { language } = useLanguage();
  const { setDirection } = useDirection();
  const [chosen, setChosen] = useState<Partial<Choices>>(storedChoices);
  const choices = useMemo(() => choicesIn(language, chosen), [language, chosen]);
  const panelZone = useQuery<Me>({ queryKey: ["/me", {}], enabled: false }).data?.timezone ?? "";

  useEffect(() => {
    document.documentElement.lang = language;
    setDirection(LANGUAGES[language].direction);
    // The panel reads it at the next visit: it names the words in the page, so that they come with everything else.
    document.cookie = `signalbox_language=${language}; path=${new URL(document.baseURI).pathname}; max-age=31536000; samesite=lax`;
  }, [language, setDirection]);

  const preferences = useMemo<Preferences>(
    () => ({
      ...choices,
      timeZone: zoneInUse(choices.zone, panelZone),
      choose: (changes) => {
        const next = { ...chosen, ...changes };
        storeChoices(next);
        setChosen(next);
      },
      language,
      chooseLanguage: (next: Language) => {
        kept.set("language", next);
        void loadLanguage(next).then(onWords);
      },
      readAgain: () => setChosen(storedChoices()),
    }),
    [choices, chosen, language, onWords, panelZone],
  );
  const { calendar, timeZone } = preferences;
  const format = useMemo(() => ({ calendar, timeZone }), [calendar, timeZone]);
  return (
    <PreferencesContext value={preferences}>
      <FormatContext value={format}>{children}</FormatContext>
    </PreferencesContext>
  );
}
