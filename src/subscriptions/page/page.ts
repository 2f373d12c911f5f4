// The page that people see when they open their link in a browser (rules subscriptions.page): one document that needs
// nothing from elsewhere and no script to be read.
import { oneLine } from "../../lib/one-line.ts";
import { accountCard } from "./account-card.ts";
import { appGuide } from "./app-guide.ts";
import { deviceCard } from "./device-card.ts";
import { figuresIn } from "./figures.ts";
import { html, Link, type Html } from "./html.ts";
import { LANGUAGE_CODES, PAGE_LANGUAGES } from "./language.ts";
import { largeCodes, linkCard, serverList } from "./link-card.ts";
import { SCRIPT } from "./script.ts";
import { shownState } from "./state.ts";
import { iconStyle, STYLE, themeStyle } from "./style.ts";
import type { PageView } from "./view.ts";
import { PAGE_WORDS, type PageWords } from "./words/index.ts";

export interface RenderedPage {
  readonly body: string;
  /** Lets through the page's own style and script, by their hashes, and pictures that are in the page. */
  readonly policy: string;
}

export function renderPage(view: PageView): RenderedPage {
  const { language, theme, account, timeZone, now } = view;
  const words = PAGE_WORDS[language];
  const figures = figuresIn(language, timeZone);
  const title = oneLine(theme.title || view.title) || words.title;
  const style = themeStyle(theme);
  const icons = iconStyle(view.apps);
  const { served } = shownState(account.status, account.reason);
  const body = html`<!doctype html>
    <html
      lang="${language}"
      dir="${PAGE_LANGUAGES[language].direction}"
      data-scheme="${theme.scheme}"
      data-copied="${words.copied}"
      data-by-hand="${words.copyByHand}"
      data-sure="${words.forgetSure}"
      data-gone="${words.forgotten}"
      data-failed="${words.forgetFailed}"
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex,nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title}</title>
        ${STYLE.element}${style.element}${icons?.element}
      </head>
      <body>
        ${header(view, title, words)}
        <main id="main">
          ${notices(view)} ${accountCard(view, words, figures)} ${served && appGuide(view, title, words)}
          ${linkCard(view, words)} ${deviceCard(view, words, figures)} ${serverList(view, words, figures)}
        </main>
        <footer>
          ${footer(view, words)}
          <p>${words.updated(figures.moment(now))}</p>
        </footer>
        ${largeCodes(view, words)}
        <p class="unseen" id="said" role="status"></p>
        ${SCRIPT.element}
      </body>
    </html> `;
  const policy = [
    "default-src 'none'",
    `style-src ${[STYLE, style, icons].flatMap((each) => each?.source ?? []).join(" ")}`,
    `script-src ${SCRIPT.source}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { body: body.toString(), policy };
}

/** The page of no account, for programs that look at links for others. */
export function renderPreview(theme: PageView["theme"], said: Pick<PageView, "title" | "announce">): RenderedPage {
  const { language } = theme;
  const title = oneLine(theme.title || said.title) || PAGE_WORDS[language].title;
  const style = themeStyle(theme);
  const logo = Link.picture(theme.logo);
  const body = html`<!doctype html>
    <html lang="${language}" dir="${PAGE_LANGUAGES[language].direction}" data-scheme="${theme.scheme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex,nofollow" />
        <title>${title}</title>
        ${STYLE.element}${style.element}
      </head>
      <body>
        <header class="top">
          <div class="brand">
            ${logo && html`<img src="${logo}" alt="" />`}
            <h1><bdi>${title}</bdi></h1>
          </div>
        </header>
        <main id="main">${notices({ theme, language, announce: said.announce })}</main>
      </body>
    </html> `;
  const styles = [STYLE, style].map(({ source }) => source).join(" ");
  const policy = `default-src 'none'; style-src ${styles}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { body: body.toString(), policy };
}

function header({ theme, language, query }: PageView, title: string, words: PageWords): Html {
  const logo = Link.picture(theme.logo);
  const links = LANGUAGE_CODES.map(
    (code) =>
      html`<li>
        <a
          href="${Link.here(`?${query}lang=${code}`)}"
          lang="${code}"
          hreflang="${code}"
          ${code === language && html` aria-current="true"`}
          >${PAGE_LANGUAGES[code].name}</a
        >
      </li>`,
  );
  return html`<header class="top">
    <div class="brand">
      ${logo && html`<img src="${logo}" alt="" />`}
      <h1><bdi>${title}</bdi></h1>
    </div>
    <nav aria-label="${words.language}">
      <ul class="langs">
        ${links}
      </ul>
    </nav>
  </header>`;
}

/** What the operator says to everybody: on this page, and as every app shows it. */
function notices({ theme, language, announce }: Pick<PageView, "theme" | "language" | "announce">): Html | false {
  const texts = [theme.texts[language]?.notice ?? "", announce].map(shownText).filter((text) => text !== "");
  return texts.length > 0 && html`${texts.map((text) => html`<p class="card note" dir="auto">${text}</p>`)}`;
}

function footer({ theme, language, supportUrl }: PageView, words: PageWords): Html {
  const own = shownText(theme.texts[language]?.footer ?? "");
  const support = Link.web(supportUrl);
  return html`${own !== "" && html`<p dir="auto">${own}</p>`}${support && html`<p><a href="${support}" rel="noreferrer">${words.support}</a></p>`}`;
}

/** Lines as they were written, none of which turns the direction of the next. */
function shownText(text: string): string {
  return text.slice(0, 2000).split("\n").map(oneLine).join("\n").trim();
}
