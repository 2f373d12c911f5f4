// Brings a person's choices to this browser, once the page is there: language and theme turn to what was chosen
// elsewhere. Draws nothing.
import { useMantineColorScheme } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useReachedAgain } from "../api/panel-reach.ts";
import { useMe } from "../session/me.ts";
import { LANGUAGES, type Language } from "../words/language.ts";
import { kept } from "../browser/use-kept.ts";
import { usePreferences } from "../browser/preferences.ts";

const SCHEMES = ["light", "dark", "auto"] as const;

export function KeptHere() {
  const { id } = useMe();
  const { language, chooseLanguage, readAgain } = usePreferences();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const take = useEffectEvent(() => {
    const spoken = kept.get("language");
    if (spoken !== null && spoken !== language && isLanguage(spoken)) chooseLanguage(spoken);
    const scheme = SCHEMES.find((each) => each === kept.get("theme"));
    if (scheme !== undefined && scheme !== colorScheme) setColorScheme(scheme);
    readAgain();
  });
  useEffect(() => {
    void kept.begin(id).then(() => take());
    return () => kept.end();
  }, [id]);
  useReachedAgain(() => void kept.send());
  return null;
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
