// What tests look at from within the page. Loaded before the page's own scripts, as text; checked with the interface's
// own types, since here is a document.

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

declare const axe: { run(root: Document, options: object): Promise<{ readonly violations: readonly Violation[] }> };

document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI} ${event.sample}`);
});

/** Whether the page still loads something that it shows a place for. */
function isBusy(): boolean {
  const waiting = document.querySelector("[aria-busy='true'], .mantine-Skeleton-root, [data-loading='true']");
  return waiting !== null || document.querySelector("h1, h2, form") === null || document.fonts.status !== "loaded";
}

/** The heading of the page that was left. */
let former: Element | null = null;

/** Leaves the page for another one as a link of the interface does. */
function follow(path: string): void {
  former = document.querySelector("#page :is(h1, h2, form)");
  history.pushState(undefined, "", path);
}

/** Whether the page that was left still stands there, or the new one is not complete. */
function isUnderWay(): boolean {
  return former?.isConnected === true || answersAwaited > 0 || isBusy();
}

/** What hinders people who do not see, or do not use a mouse: `rule (how often): where: why`. Needs axe in the page. */
async function barriers(rules: readonly string[]): Promise<string[]> {
  // Colours are judged once they have faded in.
  const fading = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(fading.map((each) => each.finished));
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => {
    const [first] = nodes;
    const why = (first?.failureSummary ?? "").split("\n").slice(1).join(" ").trim();
    return `${id} (${nodes.length}): ${first?.target.join(" ") ?? ""}: ${why}`;
  });
}

/** What a screen reader finds its way by: how many there are of each that is shown, and whether messages are heard. */
function outline(): object {
  const shown = (selector: string) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  return {
    titles: shown("h1").length,
    mains: shown("main").length,
    banners: shown("header").filter((each) => each.closest("main, section, article, dialog") === null).length,
    navigations: shown("nav[aria-label]").filter((each) => each.closest("main") === null).length,
    messages: document.querySelectorAll("[aria-live=polite][aria-relevant=additions]").length,
  };
}

/** Pixels by which the page is wider than the window, and what sticks out first. */
function overflow(): string | undefined {
  const over = document.documentElement.scrollWidth - window.innerWidth;
  if (over <= 0) return undefined;
  const out = [...document.querySelectorAll("body *")].find((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > window.innerWidth + 1 || box.left < -1);
  });
  return `${over} px: ${out?.tagName ?? ""}.${out?.getAttribute("class") ?? ""} ${(out?.textContent ?? "").slice(0, 40)}`;
}

const HANDLERS = ["onClick", "onDoubleClick", "onMouseDown", "onPointerDown"];
const CONTROLS = "a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=slider]";
/** Arrows walk within these. */
const WALKED = "[role=menu], [role=tablist], [role=radiogroup], [role=listbox], [role=grid], svg[role=group]";

/** What React calls when a mouse is used on an element. */
function takesMouse(element: Element): boolean {
  const key = Object.keys(element).find((name) => name.startsWith("__reactProps$"));
  const props: unknown = key === undefined ? {} : Reflect.get(element, key);
  return HANDLERS.some((name) => typeof props === "object" && props !== null && Reflect.has(props, name));
}

/** How what has the focus and its surroundings look, with all transitions at their end. */
function appearance(element: HTMLElement | SVGElement): string {
  const above: Element[] = [];
  for (let at = element.parentElement; at && above.length < 4; at = at.parentElement) above.push(at);
  const drawn = [element, ...above, ...(above[0]?.children ?? []), ...[...element.querySelectorAll("*")].slice(0, 8)];
  const look = () =>
    drawn.map((each) => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor, background, stroke, translate } =
        getComputedStyle(each);
      return [outlineStyle, outlineWidth, boxShadow, borderColor, background, stroke, translate].join();
    });
  look();
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  return look().join("\n");
}

/** Whether a person sees that it has the focus. */
function isMarked(element: HTMLElement | SVGElement): boolean {
  element.focus({ preventScroll: true });
  const focused = appearance(element);
  element.blur();
  return focused !== appearance(element);
}

/** What a mouse reaches and the keyboard does not, and what does not show that it has the focus. */
function keyboard(): string[] {
  const name = (each: Element) => `${each.tagName} ${(each.getAttribute("aria-label") ?? each.outerHTML).slice(0, 90)}`;
  const seen = [...document.querySelectorAll<HTMLElement | SVGElement>("body *")].filter(
    (each) =>
      each.checkVisibility({ visibilityProperty: true }) && each.closest("[aria-hidden=true], [inert]") === null,
  );
  const stops = seen.filter((each) => each.tabIndex >= 0 && !each.matches(":disabled"));
  const used = seen.filter(
    (each) =>
      (each.matches(CONTROLS) || takesMouse(each)) && !each.matches(":disabled, label, .mantine-InputWrapper-label"),
  );
  const reached = (each: Element) =>
    stops.some((stop) => stop.contains(each) || each.contains(stop) || each.closest(WALKED)?.contains(stop));
  // Checks one of the elements that look alike. Frames are left out: a frame gives the focus to what is in it.
  const shown = stops.filter((each) => !each.matches("iframe"));
  const kinds = new Map(shown.map((each) => [`${each.tagName} ${each.getAttribute("class") ?? ""}`, each]));
  return [
    ...(seen.some(takesMouse) ? [] : ["nothing on the page takes a mouse"]),
    ...used.filter((each) => !reached(each)).map((each) => `the mouse alone: ${name(each)}`),
    ...stops.filter((each) => each.tabIndex > 0).map((each) => `out of order: ${name(each)}`),
    ...[...kinds.values()].filter((each) => !isMarked(each)).map((each) => `no mark of the focus: ${name(each)}`),
  ];
}

/** Labels of drawings that lie over each other. */
function overlaps(): string[] {
  const found: string[] = [];
  for (const drawing of document.querySelectorAll("svg:has([data-state])")) {
    const labels = [...drawing.querySelectorAll("text")]
      .map((text) => ({ words: (text.textContent ?? "").trim(), box: text.getBoundingClientRect() }))
      .filter(({ words, box }) => words !== "" && box.width > 0);
    for (const [index, a] of labels.entries()) {
      for (const b of labels.slice(index + 1)) {
        const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        // A text's box is as high as its font's line: letters touch only where boxes share more than that air.
        if (x > 2 && y > Math.min(a.box.height, b.box.height) * 0.4) found.push(`"${a.words}" and "${b.words}"`);
      }
    }
  }
  return found;
}

/** The state that the drawing of an actor's chart lights. */
function litState(): string {
  const lit = [...document.querySelectorAll("svg [data-state][aria-current='true']")].map(
    (box) => box.getAttribute("data-state") ?? "",
  );
  return lit.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

/** The state of a drawing that has the focus, and whether a line is drawn around it that can be seen whole. */
function focusedState(): { readonly state: string; readonly seen: boolean } | undefined {
  const box = document.activeElement?.closest("svg [data-state]");
  const canvas = box?.closest("[role='region']")?.getBoundingClientRect();
  const ring = box?.querySelector(":scope > rect:last-child");
  if (!box || !canvas || !ring) return undefined;
  const { left, right, top, bottom } = ring.getBoundingClientRect();
  const within = left >= canvas.left && right <= canvas.right && top >= canvas.top && bottom <= canvas.bottom;
  return { state: box.getAttribute("data-state") ?? "", seen: within && getComputedStyle(ring).stroke !== "none" };
}

/**
 * How an actor's page stands in its window: states of the drawing that are cut off, the smallest name in pixels, and by
 * how much the map covers it or the column is too wide.
 */
function fit(): object {
  const frame =
    document.querySelector("svg[role='group']")?.parentElement?.parentElement?.getBoundingClientRect() ?? new DOMRect();
  const boxes = [...document.querySelectorAll("svg[role='group'] [data-state]")];
  const cut = boxes.filter((box) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom;
  });
  const drawing = document.querySelector<SVGSVGElement>("svg[role='group']");
  const scale = drawing ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 0;
  const names = [...document.querySelectorAll("svg[role='group'] [data-state] text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize),
  );
  const map = document.querySelector("svg[data-map]")?.getBoundingClientRect() ?? new DOMRect();
  const side = document.querySelector("aside");
  return {
    states: boxes.length,
    cut: cut.map((box) => box.getAttribute("data-state")),
    name: Math.min(...names) * scale,
    covered: Math.max(0, Math.min(frame.bottom, map.bottom) - Math.max(frame.top, map.top)),
    tooWide: side ? side.scrollWidth - side.clientWidth : 0,
  };
}

const states: { readonly state: string; readonly step: number; readonly at: number }[] = [];

/** The step after which the page shows an actor, as its head says it. */
function shownStep(): number {
  const [, digits = ""] = /step ([\d,]+)/.exec(document.querySelector("main header")?.textContent ?? "") ?? [];
  return Number(digits.replaceAll(",", ""));
}

/** From now on: each state that is lit, with the step that led to it and the Unix time of the frame that showed it. */
function recordStates(): void {
  let last = litState();
  const look = () => {
    const state = litState();
    if (state === last || state === "") return;
    last = state;
    const step = shownStep();
    requestAnimationFrame(() => states.push({ state, step, at: performance.timeOrigin + performance.now() }));
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["aria-current"],
  });
}

const pace: { last: number; readonly gaps: number[]; blocked: number } = { last: 0, gaps: [], blocked: 0 };

/** From now on: milliseconds between frames, and those in which the page could not answer. */
function recordFrames(): void {
  pace.last = performance.now();
  const frame = (now: number) => {
    pace.gaps.push(now - pace.last);
    pace.last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pace.blocked += duration;
  }).observe({ type: "longtask" });
}

const asked = new Set<string>();
let answersAwaited = 0;
const { fetch: ask } = window;
window.fetch = (input, init) => {
  asked.add(input instanceof Request ? input.url : new URL(input, location.href).href);
  answersAwaited++;
  return ask(input, init).finally(() => answersAwaited--);
};

/** Answers that the page's head asked for and its scripts did not. */
function unused(): string[] {
  const named = [...document.querySelectorAll<HTMLLinkElement>("link[rel='preload'][as='fetch']")];
  return named.map(({ href }) => href).filter((href) => !asked.has(href));
}

/** How the page's sockets fared. */
const sockets = { opened: 0, codes: [] as number[] };
window.WebSocket = class extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    this.addEventListener("open", () => sockets.opened++);
    this.addEventListener("close", ({ code }) => sockets.codes.push(code));
  }
};

const recorded = {
  litState,
  focusedState,
  sockets,
  recordedStates: () => states,
  recordedFrames: () => ({ gaps: pace.gaps, blocked: pace.blocked }),
};
Object.assign(window, {
  looks: {
    isBusy,
    isUnderWay,
    follow,
    unused,
    fit,
    barriers,
    outline,
    overflow,
    overlaps,
    keyboard,
    recordStates,
    recordFrames,
    ...recorded,
  },
});
