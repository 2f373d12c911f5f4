// The first card: how the account is, in words, and what is left of it.
import { oneLine } from "../../lib/one-line.ts";
import type { Figures } from "./figures.ts";
import { html, Link, type Html } from "./html.ts";
import { shownState, usageTone } from "./state.ts";
import type { PageAccount, PageView } from "./view.ts";
import type { PageWords } from "./words/index.ts";

export function accountCard({ account, supportUrl, now }: PageView, words: PageWords, figures: Figures): Html {
  const state = shownState(account.status, account.reason);
  const support = Link.web(supportUrl);
  return html`<section class="card" aria-labelledby="state">
    <div class="who">
      <bdi class="name">${oneLine(account.name)}</bdi
      ><span class="pill" data-tone="${state.tone}">${words.status[state.status]}</span>
    </div>
    <h2 class="big" id="state">${headline(account, now, words, figures)}</h2>
    <p class="dim">${words.explained[state.explained]}</p>
    ${usage(account, words, figures)} ${facts(account, words, figures)}
    ${support && !state.served && html`<p class="act"><a class="button wide" href="${support}" rel="noreferrer">${words.support}</a></p>`}
  </section>`;
}

/** The one thing that people want to know. */
function headline(account: PageAccount, now: number, words: PageWords, figures: Figures): string {
  const { status } = shownState(account.status, account.reason);
  if (status === "limited" || status === "disabled") return words.status[status];
  if (account.lasts > 0) return words.lasts(figures.time(account.lasts));
  if (account.expiry === 0) return status === "expired" ? words.status.expired : words.endless;
  return (account.expiry <= now ? words.ended : words.ends)(figures.distance(account.expiry, now));
}

function usage(account: PageAccount, words: PageWords, figures: Figures): Html {
  const used = account.up + account.down;
  if (account.volume === 0) return html`<p class="split act"><span>${words.usedOpen(figures.bytes(used))}</span></p>`;
  const share = Math.min(1, used / account.volume);
  const left = Math.max(0, account.volume - used);
  return html`<progress
      aria-label="${words.usage}"
      max="1000"
      value="${Math.round(share * 1000)}"
      data-tone="${usageTone(share)}"
    ></progress>
    <p class="split">
      <span>${words.used(figures.bytes(used), figures.bytes(account.volume))}</span
      ><span class="dim">${words.left(figures.bytes(left))}</span>
    </p>`;
}

function facts(account: PageAccount, words: PageWords, figures: Figures): Html | false {
  const rows = [
    account.expiry > 0 &&
      account.lasts === 0 &&
      html`<div>
        <dt>${words.validity}</dt>
        <dd>${figures.date(account.expiry)}</dd>
      </div>`,
    account.nextReset > 0 &&
      html`<div>
        <dt>${words.resets}</dt>
        <dd>${figures.date(account.nextReset)}</dd>
      </div>`,
  ].filter((row) => row !== false);
  return rows.length > 0 && html`<dl class="facts">${rows}</dl>`;
}
