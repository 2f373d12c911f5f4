// Starts the interface: the nonce of this page load for whatever adds styles, then React.
import "./fonts/inter.css";
import "@fontsource-variable/vazirmatn";
import "@mantine/core/styles.css";
import "./shell/tokens.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { keepFocus } from "./shell/kept-focus.ts";
import { pageNonce } from "./shell/nonce.ts";
import { reloadOldPage } from "./shell/old-page.ts";
import { loadLanguage, preferredLanguage } from "./words/language.ts";

setNonce(pageNonce());
const root = document.querySelector("#root");
if (!root) throw new Error("the page has no root");

/**
 * No `await` of the module itself: the words lie in chunks that may share code with this one, and would wait for it in
 * turn.
 */
async function start(place: Element): Promise<void> {
  const words = await loadLanguage(preferredLanguage());
  createRoot(place).render(
    <StrictMode>
      <App words={words} />
    </StrictMode>,
  );
}

reloadOldPage({
  listen: (name, listener) => addEventListener(name, listener),
  reload: () => location.reload(),
});
keepFocus();
void start(root);
