// The page's style: one text for all visitors, so that its hash is made once. What an operator chose comes in a second,
// small one of variables.
import { readableOn, textOn } from "./colour.ts";
import type { SubApp } from "./apps.ts";
import { inline, Link, type Inline } from "./html.ts";
import { PLATFORMS } from "./platform.ts";
import type { SubTheme } from "./theme.ts";

const LIGHT = {
  page: "#f5f6f8",
  card: "#ffffff",
  sunken: "#eff1f4",
  line: "#dfe3e9",
  ink: "#16181d",
  dim: "#565d6b",
  ok: "#16703e",
  "ok-soft": "#e2f5e9",
  wait: "#875000",
  "wait-soft": "#fdf0d5",
  bad: "#b3222b",
  "bad-soft": "#fdeaea",
};
const DARK = {
  page: "#0f1115",
  card: "#181b21",
  sunken: "#22262e",
  line: "#2e333d",
  ink: "#eceef2",
  dim: "#a3abba",
  ok: "#55cf92",
  "ok-soft": "#12291e",
  wait: "#f0b84a",
  "wait-soft": "#2f240e",
  bad: "#ff8b8f",
  "bad-soft": "#351619",
};

function variables(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");
}

/** Which panel of apps a chosen device shows; no script has a part in it. */
const CHOICES = PLATFORMS.map(
  (platform) =>
    `#on-${platform}:checked~.tabs label[for=on-${platform}]{background:var(--card);color:var(--ink);box-shadow:0 1px 3px rgb(0 0 0/.16)}` +
    `#on-${platform}:focus-visible~.tabs label[for=on-${platform}]{outline:2px solid var(--accent);outline-offset:1px}` +
    `#on-${platform}:checked~.for-${platform}{display:block}`,
).join("\n");

const TEXT = `
*,*::before,*::after{box-sizing:border-box}
html{color-scheme:light;-webkit-text-size-adjust:100%;${variables(LIGHT)}}
html[data-scheme=dark]{color-scheme:dark;${variables(DARK)}}
@media(prefers-color-scheme:dark){html[data-scheme=auto]{color-scheme:dark;${variables(DARK)}}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
html[lang=fa] body{font-family:Vazirmatn,Vazir,"Segoe UI",Tahoma,system-ui,sans-serif;line-height:1.75}
h1,h2,p,ol,ul,dl,dd{margin:0;padding:0}
h1{font-size:1.125rem;line-height:1.3;font-weight:650}
h2{font-size:1.0625rem;line-height:1.35;font-weight:650}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
.dim{color:var(--dim);font-size:.875rem}
.top,main,footer{max-inline-size:66rem;margin-inline:auto;padding-inline:1rem}
.top{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding-block:1rem}
.brand{display:flex;align-items:center;gap:.75rem;flex:1 1 12rem;min-inline-size:0}
.brand img{block-size:2.5rem;max-inline-size:8rem;object-fit:contain;border-radius:8px}
.langs{display:flex;gap:.125rem;list-style:none}
.langs a{display:inline-flex;align-items:center;min-block-size:2.75rem;padding-inline:.625rem;border-radius:10px;color:var(--dim);text-decoration:none;font-size:.875rem}
.langs a:hover{background:var(--sunken)}
.langs a[aria-current]{color:var(--ink);font-weight:650}
main{display:grid;gap:1rem;align-items:start}
.card{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:1.25rem;min-inline-size:0}
.card>h2+.dim{margin-block-start:.125rem}
.note{border-color:var(--link);white-space:pre-line;padding-block:.875rem}
.who{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;justify-content:space-between}
.name{font-size:.9375rem;color:var(--dim);min-inline-size:0}
.pill{display:inline-flex;align-items:center;gap:.5rem;padding:.25rem .75rem;border-radius:99px;font-size:.875rem;font-weight:650;background:var(--ok-soft);color:var(--ok)}
.pill::before{content:"";inline-size:.5rem;block-size:.5rem;border-radius:50%;background:currentColor}
.pill[data-tone=wait]{background:var(--wait-soft);color:var(--wait)}
.pill[data-tone=bad]{background:var(--bad-soft);color:var(--bad)}
.big{font-size:clamp(1.375rem,5vw,1.75rem);line-height:1.25;font-weight:700;letter-spacing:-.01em;margin-block:.875rem .25rem}
html[lang=fa] .big,html[lang=zh] .big{letter-spacing:0}
progress{appearance:none;-webkit-appearance:none;display:block;inline-size:100%;block-size:.75rem;border:0;border-radius:99px;overflow:hidden;background:var(--sunken);color:var(--fill);margin-block:1.125rem .5rem}
progress::-webkit-progress-bar{background:var(--sunken);border-radius:99px}
progress::-webkit-progress-value{background:var(--fill);border-radius:99px}
progress::-moz-progress-bar{background:var(--fill);border-radius:99px}
progress[data-tone=wait]{--fill:var(--wait)}
progress[data-tone=bad]{--fill:var(--bad)}
.split{display:flex;flex-wrap:wrap;gap:.125rem 1rem;justify-content:space-between;font-size:.9375rem}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem 1rem;margin-block-start:1.125rem;padding-block-start:1.125rem;border-block-start:1px solid var(--line)}
.facts dt{color:var(--dim);font-size:.8125rem}
.facts dd{font-weight:600}
.button{display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-block-size:2.75rem;padding:.5rem 1.125rem;border:1px solid transparent;border-radius:12px;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;background:var(--accent);color:var(--on-accent)}
.button:hover{filter:brightness(1.08)}
.button.plain{background:var(--card);color:var(--ink);border-color:var(--line)}
.button.plain:hover{background:var(--sunken);filter:none}
.button.wide{inline-size:100%}
.act{margin-block-start:1.125rem}
.link{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:1rem;align-items:center;margin-block-start:.875rem}
.url{display:block;direction:ltr;text-align:left;padding:.625rem .75rem;border-radius:10px;background:var(--sunken);font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;word-break:break-all;user-select:all;-webkit-user-select:all}
.link .button{margin-block-start:.625rem}
.link+.dim{margin-block-start:.75rem}
.qr{display:block;inline-size:7.5rem;padding:.25rem;background:#fff;border:1px solid var(--line);border-radius:12px}
.qr svg,.full svg{display:block;inline-size:100%;block-size:auto}
.pick{position:absolute;opacity:0;pointer-events:none}
.tabs{display:flex;flex-wrap:wrap;gap:.25rem;padding:.25rem;border-radius:12px;background:var(--sunken);margin-block:.875rem}
.tabs label{flex:1 1 27%;display:flex;align-items:center;justify-content:center;min-block-size:2.5rem;padding-inline:.5rem;border-radius:9px;font-size:.8125rem;font-weight:600;color:var(--dim);cursor:pointer;white-space:nowrap}
.tabs label:hover{color:var(--ink)}
.apps{display:none}
${CHOICES}
details.app{border:1px solid var(--line);border-radius:12px}
details.app+details.app{margin-block-start:.5rem}
summary{display:flex;align-items:center;gap:.75rem;min-block-size:3.25rem;padding:.375rem .875rem;cursor:pointer;font-weight:600;list-style:none;border-radius:12px}
summary::-webkit-details-marker{display:none}
summary::after{content:"";flex:none;inline-size:.5rem;block-size:.5rem;margin-inline-start:auto;border:solid var(--dim);border-width:0 2px 2px 0;transform:translateY(-2px) rotate(45deg)}
details[open]>summary::after{transform:translateY(2px) rotate(225deg)}
summary:hover{background:var(--sunken)}
.mark{flex:none;display:grid;place-items:center;inline-size:2.25rem;block-size:2.25rem;border-radius:10px;background:var(--sunken);color:var(--link);font-weight:700}
.steps{list-style:none;counter-reset:step;display:grid;gap:1rem;padding:.5rem .875rem 1.125rem}
.steps li{counter-increment:step;display:grid;grid-template-columns:1.75rem minmax(0,1fr);gap:.25rem .75rem;align-items:start}
.steps li::before{content:counter(step);display:grid;place-items:center;inline-size:1.75rem;block-size:1.75rem;border-radius:50%;background:var(--sunken);font-size:.8125rem;font-weight:700}
html[lang=fa] .steps li::before{content:counter(step,persian)}
.steps .button{margin-block-start:.5rem}
.rows{list-style:none;margin-block-start:.75rem;display:grid}
.rows li{display:flex;align-items:center;flex-wrap:wrap;gap:.25rem .75rem;padding-block:.5rem;border-block-start:1px solid var(--line)}
.rows bdi,.rows .grow{flex:1 1 8rem;min-inline-size:0}
.rows .buttons{display:flex;gap:.375rem;margin-inline-start:auto}
.rows .button{padding-inline:.875rem;font-size:.875rem}
.rows code{flex:1 1 100%}
.fold{padding:0}
.fold>summary{padding:1rem 1.25rem;border-radius:16px}
.fold>.inside{padding:0 1.25rem 1rem}
footer{padding-block:1.25rem 2.5rem;display:grid;gap:.25rem;color:var(--dim);font-size:.875rem}
footer p{white-space:pre-line}
.full{display:none;position:fixed;inset:0;z-index:9;background:#fff;color:#111;place-items:center;place-content:center;gap:1rem;padding:1rem;text-align:center}
.full:target{display:grid}
html:has(.full:target){overflow:hidden}
.full svg{inline-size:min(92vw,78vh);margin:auto}
.full .button{background:#fff;color:#111;border-color:#8a8f99}
.needs-script{display:none}
.scripted .needs-script{display:inline-flex}
.scripted .rows code{display:none}
.unseen{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(max-width:26rem){.card{padding:1rem}.link{grid-template-columns:minmax(0,1fr);justify-items:stretch}.qr{justify-self:center;inline-size:9rem}.link .button{inline-size:100%}.fold{padding:0}.langs a{padding-inline:.5rem}}
@media(min-width:56rem){main{grid-template-columns:minmax(0,1fr) minmax(0,1fr);grid-template-rows:repeat(6,auto) 1fr}main>*{grid-column:1}main>.guide{grid-column:2;grid-row:1/span 7}main:not(:has(.guide))>.card.mine{grid-column:2;grid-row:1/span 7}.tabs label{flex-basis:auto}.top{padding-block:1.5rem}.card{padding:1.5rem}.fold{padding:0}}
@media print{.tabs,.langs,.button{display:none}}
`;

export const STYLE: Inline = inline("style", TEXT);

const themed = new Map<string, Inline>();

/** The operator's colour as variables. Few are known at a time: a preview may try many. */
export function themeStyle({ colour }: Pick<SubTheme, "colour">): Inline {
  const known = themed.get(colour);
  if (known) return known;
  if (themed.size >= 16) themed.clear();
  const light = variables({
    accent: colour,
    "on-accent": textOn(colour),
    fill: readableFill(colour, LIGHT.card, "#000000"),
    link: readableOn(LIGHT.sunken, colour, "#000000"),
  });
  const dark = variables({
    fill: readableFill(colour, DARK.card, "#ffffff"),
    link: readableOn(DARK.sunken, colour, "#ffffff"),
  });
  const style = inline(
    "style",
    `html{${light}}html[data-scheme=dark]{${dark}}@media(prefers-color-scheme:dark){html[data-scheme=auto]{${dark}}}`,
  );
  themed.set(colour, style);
  return style;
}

/**
 * The apps' icons, each once however many platforms list its app; undefined where there are none. An icon was checked
 * to be a picture in base64, in which nothing ends the address.
 */
export function iconStyle(apps: readonly SubApp[]): Inline | undefined {
  const rules = apps.map(({ icon }, place) =>
    icon !== undefined && Link.picture(icon) ? `.icon-${place}{background:center/cover no-repeat url("${icon}")}` : "",
  );
  const text = rules.join("");
  if (text === "") return undefined;
  const known = drawn.get(text);
  if (known) return known;
  if (drawn.size >= 4) drawn.clear();
  const style = inline("style", text);
  drawn.set(text, style);
  return style;
}

const drawn = new Map<string, Inline>();

/** The bar is no text: the colour as it is, unless it would vanish in the card. */
function readableFill(colour: string, paper: string, towards: "#000000" | "#ffffff"): string {
  return readableOn(paper, colour, towards);
}
