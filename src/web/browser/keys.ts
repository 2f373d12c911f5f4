// Keys of the page: by the key's place (`event.code`), so that they hold on a Persian or Russian layout, and silent
// while somebody types.
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { writtenKey } from "./written-key.ts";

/** What a key does, in words for the list under `?`. */
export interface KeyAction {
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Absent: the key holds. */
  readonly enabled?: boolean;
}

/**
 * Keys by how they are written: `"n"`, `"shift+x"`, `"mod+s"` (Ctrl, or Cmd on a Mac), `"/"`, `"["`, `"."`, `"enter"`,
 * `"esc"`, `"up"`, `"space"`, `"home"`, and keys one after the other: `"g o"`, `"g k m"`.
 */
export type KeyMap = Readonly<Record<string, KeyAction>>;

/**
 * The keys of the component while it is on the page. The one that came last wins; a sequence waits a second for each
 * further key.
 */
export function useKeys(keys: KeyMap): void {
  const current = useEffectEvent(() => keys);
  const listed = Object.entries(keys)
    .filter(([, { enabled }]) => enabled !== false)
    .map(([key, { label }]) => `${key}\t${label}`)
    .join("\n");
  useEffect(() => {
    const layer: Layer = { current, listed: listed === "" ? [] : listed.split("\n").map(pairOf) };
    layers = [...layers, layer];
    tell();
    return () => {
      layers = layers.filter((each) => each !== layer);
      tell();
    };
  }, [listed]);
}

/** What holds on this page, in the order in which pages said it: for the list under `?`. */
export function useKeyList(): readonly ListedKey[] {
  return useSyncExternalStore(subscribe, listKeys);
}

export interface ListedKey {
  readonly key: string;
  readonly label: string;
}

interface Layer {
  readonly current: () => KeyMap;
  readonly listed: readonly ListedKey[];
}

let layers: readonly Layer[] = [];
let listedNow: readonly ListedKey[] = [];
const listeners = new Set<() => void>();

function tell(): void {
  // A key that an inner part took over is listed once, as what it does now.
  listedNow = [...new Map(layers.flatMap(({ listed }) => listed).map((each) => [each.key, each])).values()];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const listKeys = (): readonly ListedKey[] => listedNow;

function pairOf(line: string): ListedKey {
  const [key = "", label = ""] = line.split("\t");
  return { key, label };
}

/** Inside these keys are letters, or belong to the control. */
const TYPING =
  "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true]";
/** Keys that a control with the focus answers itself. */
const OWN_OF_CONTROLS: ReadonlySet<string> = new Set(["enter", "space"]);
/** What lies over the page has the keys for itself. */
const OVER = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
const NEXT_KEY_WAITS = 1000;

/** Whether a dialog lay over the page when the key went down: Esc closes that and nothing else. */
let covered = false;
let prefix: { readonly key: string; readonly at: number } | undefined;

function pressed(event: KeyboardEvent): void {
  const key = writtenKey(event);
  if (key === undefined || event.defaultPrevented || event.isComposing) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const chord = key.startsWith("mod+");
  if (!chord && target.closest(TYPING)) return;
  if (!chord && (covered || target.closest(OVER))) return;
  if (
    OWN_OF_CONTROLS.has(key) &&
    target.closest("a, button, [role=button], summary, [role=tab], [role=option], [role=menuitem]")
  )
    return;
  const pressedNow = prefix && event.timeStamp - prefix.at < NEXT_KEY_WAITS ? [`${prefix.key} ${key}`, key] : [key];
  prefix = undefined;
  for (const keys of pressedNow) {
    const action = actionFor(keys);
    if (action) {
      event.preventDefault();
      action.run(event);
      return;
    }
    if (startsSequence(keys)) {
      prefix = { key: keys, at: event.timeStamp };
      return;
    }
  }
}

function actionFor(key: string): KeyAction | undefined {
  for (const { current } of layers.toReversed()) {
    const keys = current();
    const action = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (action && action.enabled !== false) return action;
  }
  return undefined;
}

function startsSequence(key: string): boolean {
  return listedNow.some((each) => each.key.startsWith(`${key} `));
}

window.addEventListener("keydown", () => (covered = document.querySelector("[aria-modal=true]") !== null), {
  capture: true,
});
document.addEventListener("keydown", pressed);
