// The devices that took the subscription, and freeing the place of one where the operator lets subscribers do that.
import { oneLine } from "../../lib/one-line.ts";
import type { Figures } from "./figures.ts";
import { html, type Html } from "./html.ts";
import type { PageDevice, PageView } from "./view.ts";
import type { PageWords } from "./words/index.ts";

const SHOWN = 20;

export function deviceCard(
  { devices, account, forgetAt, now }: PageView,
  words: PageWords,
  figures: Figures,
): Html | false {
  if (devices.length === 0) return false;
  const shown = devices.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt).slice(0, SHOWN);
  const rows = shown.map((device) => {
    const name = nameOf(device) || words.deviceUnknown;
    return html`<li>
      <span class="grow"
        ><bdi>${name}</bdi><br /><span class="dim">${words.seen(figures.distance(device.lastSeenAt, now))}</span></span
      >
      ${
        forgetAt !== "" &&
        html`<button
          type="button"
          class="button plain needs-script"
          data-forget="${forgetAt}${encodeURIComponent(device.handle)}"
          aria-label="${words.forget}: ${name}"
        >
          <span>${words.forget}</span>
        </button>`
      }
    </li>`;
  });
  const counted =
    account.deviceLimit > 0
      ? words.devicesOf(figures.count(devices.length), figures.count(account.deviceLimit))
      : figures.count(devices.length);
  return html`<section class="card" aria-labelledby="devices">
    <h2 id="devices">${words.devices}</h2>
    <p class="dim">${counted}</p>
    <ul class="rows">
      ${rows}
    </ul>
    ${forgetAt !== "" && html`<p class="dim">${words.forgetText}</p>`}
  </section>`;
}

/** What people call it: its model and system as it said them. */
function nameOf({ model, platform, userAgent }: PageDevice): string {
  const said = [model, platform].map(oneLine).filter((part) => part !== "");
  return said.join(", ") || oneLine(userAgent.split(/[\s/]/, 1)[0] ?? "");
}
