// The providers around every page: words, direction, theme, server data, addresses, the reader's choices.
import { DirectionProvider, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { startTransition, useCallback, useState } from "react";
import { Router } from "wouter";
import { SecretHost } from "./parts/SecretHost.tsx";
import { pageNonce } from "./shell/nonce.ts";
import { PreferencesProvider } from "./shell/PreferencesProvider.tsx";
import { Gate } from "./sign-in/Gate.tsx";
import { ToastHost } from "./browser/ToastHost.tsx";
import { theme } from "./browser/theme.ts";
import { LANGUAGES, type LoadedWords } from "./words/language.ts";
import { WordsContext } from "./words/words.ts";

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5000, refetchOnWindowFocus: true } },
});

/** The base path without its last slash, from `<base href>`. */
const BASE = new URL(document.baseURI).pathname.replace(/\/$/, "");

export function App({ words }: { readonly words: LoadedWords }) {
  const [shown, show] = useState(words);
  // What is shown stays until the page's other words of that language are there too.
  const showWords = useCallback((next: LoadedWords) => startTransition(() => show(next)), []);
  return (
    <WordsContext value={shown}>
      <DirectionProvider initialDirection={LANGUAGES[shown.language].direction}>
        <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={pageNonce}>
          <QueryClientProvider client={queries}>
            <Router base={BASE}>
              <PreferencesProvider onWords={showWords}>
                <ToastHost />
                <SecretHost />
                <Gate />
              </PreferencesProvider>
            </Router>
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </WordsContext>
  );
}
