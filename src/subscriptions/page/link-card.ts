// The link: to copy, and as a QR code for another device. And the servers one by one, for apps that want them so.
import { oneLine } from "../../lib/one-line.ts";
import type { Figures } from "./figures.ts";
import { html, Link, type Html } from "./html.ts";
import { qrDrawing, sameQr } from "./qr.ts";
import type { PageView } from "./view.ts";
import type { PageWords } from "./words/index.ts";

/** Characters that servers take on a page, about: the rest is in the subscription. */
const MOST = 16_000;
/** What a server takes besides its link and three times its name. */
const ROW = 450;

export function linkCard({ url }: PageView, words: PageWords): Html {
  const drawing = qrDrawing(url, words.qr, "modules");
  return html`<section class="card mine" aria-labelledby="link">
    <h2 id="link">${words.link}</h2>
    <p class="dim">${words.linkText}</p>
    <div class="link">
      <div>
        <code class="url" id="url">${url}</code>
        <button type="button" class="button plain needs-script" data-copy="url"><span>${words.copy}</span></button>
      </div>
      ${drawing && html`<a class="qr" href="${Link.here("#qr")}">${drawing}</a>`}
    </div>
    ${drawing && html`<p class="dim">${words.qrText}</p>`}
  </section>`;
}

export function serverList(
  { servers, query, language, qrOf }: PageView,
  words: PageWords,
  figures: Figures,
): Html | false {
  if (servers.length === 0) return false;
  let characters = 0;
  const shown = servers.filter(({ name, link }) => (characters += ROW + 3 * name.length + link.length) <= MOST);
  const rows = shown.map(
    ({ name, link }, index) =>
      html`<li>
        <bdi class="grow">${oneLine(name)}</bdi
        ><span class="buttons">
          <button
            type="button"
            class="button plain needs-script"
            data-copy="s${index}"
            aria-label="${words.copy}: ${oneLine(name)}"
          >
            <span>${words.copy}</span>
          </button>
          <a
            class="button plain"
            href="${Link.here(`?${query}lang=${language}&qr=${index}#qr-server`)}"
            aria-label="${words.serverQr(oneLine(name))}"
            >QR</a
          ></span
        >
        <code class="url" id="s${index}">${link}</code>
      </li>`,
  );
  const rest = servers.length - shown.length;
  return html`<details class="card fold" ${qrOf !== undefined && html` open`}>
    <summary>${words.servers(figures.count(servers.length))}</summary>
    <div class="inside">
      <p class="dim">${words.serversText}</p>
      <ul class="rows">
        ${rows}
      </ul>
      ${rest > 0 && html`<p class="dim">${words.more(figures.count(rest))}</p>`}
    </div>
  </details>`;
}

/** QR codes over the whole screen: the address opens them, so no script has to. */
export function largeCodes({ url, account, servers, qrOf }: PageView, words: PageWords): Html {
  const name = oneLine(account.name);
  const server = qrOf === undefined ? undefined : servers[qrOf];
  const called = server ? oneLine(server.name) : "";
  return html`${large("qr", name, sameQr(url, words.serverQr(name), "modules"), words)}
  ${server && large("qr-server", called, qrDrawing(server.link, words.serverQr(called), "server-modules"), words)}`;
}

function large(id: string, name: string, drawing: Html | undefined, words: PageWords): Html | false {
  return (
    drawing !== undefined &&
    html`<section class="full" id="${id}" aria-label="${words.serverQr(name)}" tabindex="-1">
      ${drawing}
      <p><bdi>${name}</bdi></p>
      <p><a class="button plain" href="${Link.here("#main")}">${words.close}</a></p>
    </section>`
  );
}
