// A token that runs along the wires of a transition when it happens. It is drawn outside React, so a burst of
// transitions causes no renders.

/** Time that a token takes for the whole way. */
const DURATION_MS = 450;
/** A burst shows some of its tokens; more would be a cloud. */
const MOST = 30;

/** Runs along paths, one after the other. Does nothing for people who asked for less motion. */
export function runToken(layer: SVGGElement, paths: readonly string[], className: string): void {
  if (layer.childElementCount >= MOST || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const token = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  token.setAttribute("r", "4.5");
  token.setAttribute("class", className);
  layer.append(token);
  const each = DURATION_MS / Math.max(1, paths.length);
  const along = (index: number) => {
    const path = paths[index];
    if (path === undefined) return token.remove();
    token.style.offsetPath = `path("${path}")`;
    const run = token.animate([{ offsetDistance: "0%" }, { offsetDistance: "100%" }], {
      duration: each,
      easing: "ease-in-out",
    });
    run.addEventListener("finish", () => along(index + 1));
    run.addEventListener("cancel", () => token.remove());
  };
  along(0);
}
