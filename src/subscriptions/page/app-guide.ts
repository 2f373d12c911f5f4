// The guide: the visitor's device is chosen already, its first app is open, and each app is three steps with a button
// in each. Choosing works without a script.
import { oneLine } from "../../lib/one-line.ts";
import { appsFor, importLinkOf, stepsOf, type SubApp } from "./apps.ts";
import { html, Link, type Html } from "./html.ts";
import { PLATFORM_NAMES, PLATFORMS, type Platform } from "./platform.ts";
import type { PageView } from "./view.ts";
import type { PageWords } from "./words/index.ts";

export function appGuide(view: PageView, title: string, words: PageWords): Html | false {
  if (view.apps.length === 0) return false;
  return html`<section class="card guide" aria-labelledby="connect">
    <h2 id="connect">${words.connect}</h2>
    <p class="dim">${words.connectText}</p>
    <div role="group" aria-label="${words.device}">
      ${PLATFORMS.map((platform) => html`<input class="pick" type="radio" name="device" id="on-${platform}" ${platform === view.platform && html` checked`} />`)}
      <div class="tabs">
        ${PLATFORMS.map((platform) => html`<label for="on-${platform}">${PLATFORM_NAMES[platform]}</label>`)}
      </div>
      ${PLATFORMS.map((platform) => html`<div class="apps for-${platform}">${guides(view, platform, title, words)}</div>`)}
    </div>
  </section>`;
}

function guides(view: PageView, platform: Platform, title: string, words: PageWords): Html | readonly Html[] {
  const fitting = appsFor(view.apps, platform);
  if (fitting.length === 0) return html`<p class="dim">${words.noApps}</p>`;
  return fitting.map((app, index) => guide(app, view, platform, title, words, index === 0));
}

function guide(
  app: SubApp,
  { apps, url, language, theme }: PageView,
  platform: Platform,
  title: string,
  words: PageWords,
  open: boolean,
): Html {
  const store = Link.web(app.stores[platform] ?? "");
  const add = importLinkOf(app, url, title);
  const getIt =
    store &&
    html`<a class="button plain" href="${store}" target="_blank" rel="noreferrer noopener">${words.stores.store}</a>`;
  const addIt = add && html`<a class="button" href="${add}" rel="noreferrer">${words.addButton(app.name)}</a>`;
  const own = stepsOf(app, language, theme.language);
  const steps: readonly (readonly [string, ...(Html | undefined)[]])[] = own
    ? ownSteps(own, getIt, addIt)
    : [
        ...(getIt ? [[words.get(app.name), getIt] as const] : []),
        [addIt ? words.add : words.paste, addIt],
        [words.start],
      ];
  const mark =
    app.icon === undefined
      ? html`<span class="mark" aria-hidden="true">${initial(app.name)}</span>`
      : html`<span class="mark icon-${apps.indexOf(app)}" aria-hidden="true"></span>`;
  return html`<details class="app" ${open && html` open`}>
    <summary>${mark}<bdi>${app.name}</bdi></summary>
    <ol class="steps">
      ${steps.map(
        ([text, ...buttons]) =>
          html`<li>
            <div dir="auto">
              ${text}${buttons.filter((button) => button !== undefined).map((button) => html`<br />${button}`)}
            </div>
          </li>`,
      )}
    </ol>
  </details>`;
}

/** In the operator's words: the first step has the store's button, the second the other one. A single one has both. */
function ownSteps(
  texts: readonly string[],
  getIt: Html | undefined,
  addIt: Html | undefined,
): readonly (readonly [string, ...(Html | undefined)[]])[] {
  const [first = "", second, ...rest] = texts.map(oneLine);
  if (second === undefined) return [[first, getIt, addIt]];
  return [[first, getIt], [second, addIt], ...rest.map((text) => [text] as const)];
}

/** The first letter as people see it. */
function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return first?.segment.toUpperCase() ?? "";
}
