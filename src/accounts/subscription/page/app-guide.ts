// The guide: the visitor's device is chosen already, its first app is open, and each app is three steps with a button
// in each. Choosing works without a script.
import { appsFor, importLinkOf, type SubApp } from "./apps.ts";
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

function guides({ apps, url }: PageView, platform: Platform, title: string, words: PageWords): Html | readonly Html[] {
  const fitting = appsFor(apps, platform);
  if (fitting.length === 0) return html`<p class="dim">${words.noApps}</p>`;
  return fitting.map((app, index) => guide(app, platform, url, title, words, index === 0));
}

function guide(app: SubApp, platform: Platform, url: string, title: string, words: PageWords, open: boolean): Html {
  const store = Link.web(app.stores[platform] ?? "");
  const add = importLinkOf(app, url, title);
  return html`<details class="app" ${open && html` open`}>
    <summary><span class="mark" aria-hidden="true">${initial(app.name)}</span><bdi>${app.name}</bdi></summary>
    <ol class="steps">
      ${
        store &&
        html`<li>
          <div>
            ${words.get(app.name)}<br /><a
              class="button plain"
              href="${store}"
              target="_blank"
              rel="noreferrer noopener"
              >${words.stores.store}</a
            >
          </div>
        </li>`
      }
      <li>
        <div>
          ${add ? html`${words.add}<br /><a class="button" href="${add}" rel="noreferrer">${words.addButton(app.name)}</a>` : words.paste}
        </div>
      </li>
      <li><div>${words.start}</div></li>
    </ol>
  </details>`;
}

/** The first letter as people see it. */
function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return first?.segment.toUpperCase() ?? "";
}
