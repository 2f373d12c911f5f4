// How a pressed key is written in a key map: by its place on the keyboard, so that it holds on every layout.

const NAMED: Readonly<Record<string, string>> = {
  Slash: "/",
  Period: ".",
  Comma: ",",
  BracketLeft: "[",
  BracketRight: "]",
  Minus: "-",
  Equal: "+",
  NumpadAdd: "+",
  NumpadSubtract: "-",
  Escape: "esc",
  Enter: "enter",
  NumpadEnter: "enter",
  Space: "space",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
  End: "end",
  PageUp: "pageup",
  PageDown: "pagedown",
  Delete: "delete",
  Backspace: "backspace",
};

/** The fields of a `KeyboardEvent` that tell which key was pressed. */
export interface PressedKey {
  readonly code: string;
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** How the pressed key is written in a key map, or undefined for keys that no map has. */
export function writtenKey(event: PressedKey): string | undefined {
  if (event.altKey) return undefined;
  // The question mark is where the layout has it.
  if (event.key === "?" || event.key === "؟") return "?";
  const name =
    NAMED[event.code] ?? /^(?:Key([A-Z])|Digit(\d))$/.exec(event.code)?.slice(1).find(Boolean)?.toLowerCase();
  if (name === undefined) return undefined;
  if (name === "/" && event.shiftKey) return "?";
  // The plus of most layouts is written with Shift.
  const shift = event.shiftKey && name !== "+" ? "shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "mod+" : ""}${shift}${name}`;
}
