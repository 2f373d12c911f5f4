// A QR code drawn by the server. Dark on white in every scheme: readers want it so.
import { encode } from "uqr";
import { qrPath } from "../../lib/qr-path.ts";
import { html, Link, type Html } from "./html.ts";

/** A code of more than this is too dense for a phone to read from a screen. Characters. */
const MOST = 1200;

/** Undefined for a text that no phone would read. `id` names the drawing for `sameQr`. */
export function qrDrawing(text: string, label: string, id: string): Html | undefined {
  const code = codeOf(text);
  if (!code) return undefined;
  const { path, size } = code;
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <g id="${id}">
      <path fill="#fff" d="M0 0h${size}v${size}h-${size}z" />
      <path d="${path}" />
    </g>
  </svg>`;
}

/** A code that the page has already, drawn again by its id: its modules are not sent twice. */
export function sameQr(text: string, label: string, id: string): Html | undefined {
  const code = codeOf(text);
  return (
    code &&
    html`<svg viewBox="0 0 ${code.size} ${code.size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
      <use href="${Link.here(`#${id}`)}" />
    </svg>`
  );
}

let last: { readonly text: string; readonly code: ReturnType<typeof qrPath> } | undefined;

/** The last one is kept, since a page asks for the same one twice. */
function codeOf(text: string): ReturnType<typeof qrPath> | undefined {
  if (text.length > MOST) return undefined;
  if (last?.text !== text) last = { text, code: qrPath(encode(text.toWellFormed(), { ecc: "M", border: 2 }).data) };
  return last.code;
}
