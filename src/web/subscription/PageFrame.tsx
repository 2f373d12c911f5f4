// The page as it would look, in a frame of its own: its style holds there and nowhere else, nothing in it runs or leads
// anywhere.
import { useEffect, useRef } from "react";
import classes from "./subscription.module.css";

export function PageFrame({ html, label }: { readonly html: string; readonly label: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    if (shown) show(html, shown);
  }, [html]);
  return <iframe ref={frame} title={label} className={classes["frame"]} sandbox="allow-same-origin" />;
}

const STYLE = /<style>([^]*?)<\/style>/g;

/**
 * The panel's policy lets no style of another text through, so the page's style is set as an object. Its script is left
 * out: a frame without `allow-scripts` would not run it either.
 */
function show(html: string, shown: Document): void {
  // Taken out before parsing: a parsed document is under the panel's policy too.
  const styles = Array.from(html.matchAll(STYLE), ([, text = ""]) => text);
  const page = new DOMParser().parseFromString(html.replaceAll(STYLE, ""), "text/html");
  const { documentElement: root, defaultView: view } = shown;
  if (!view) return;
  for (const { name, value } of page.documentElement.attributes) root.setAttribute(name, value);
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(styles.join("\n"));
  shown.adoptedStyleSheets = [sheet];
  for (const script of page.querySelectorAll("script")) script.remove();
  shown.title = page.title;
  shown.body.replaceChildren(...page.body.childNodes);
  shown.body.inert = true;
}
