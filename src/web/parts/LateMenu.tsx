// A button whose menu is loaded when somebody first points at it: no first visit carries what only a press shows.
import {
  startTransition,
  Suspense,
  useEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type Ref,
} from "react";

/** What the button takes: before its menu is there how to fetch it, then where the menu stands. */
export interface LateButton {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onPointerEnter?: () => void;
  readonly onFocus?: () => void;
  readonly onClick?: () => void;
  readonly "aria-haspopup"?: "menu" | "dialog";
  readonly "aria-expanded"?: boolean;
}

export type ButtonOf = (props: LateButton) => ReactElement;

interface LateMenuProps {
  readonly load: () => Promise<unknown>;
  readonly popup?: "menu" | "dialog";
  readonly button: ButtonOf;
  /** The menu with its button: loaded, and drawn in place of the button from the first press on. */
  readonly children: (button: ButtonOf) => ReactNode;
}

export function LateMenu({ load, popup = "menu", button, children }: LateMenuProps) {
  const [used, setUsed] = useState(false);
  const fetch = () => void load();
  const closed = button({
    onPointerEnter: fetch,
    onFocus: fetch,
    // React would hold the menu back for 300 ms after a fallback; a transition keeps the button until it is there.
    onClick: () => startTransition(() => setUsed(true)),
    "aria-haspopup": popup,
    "aria-expanded": false,
  });
  return <Suspense fallback={closed}>{used ? children(button) : closed}</Suspense>;
}

/**
 * For a menu that a press loads. Its button first takes over the focus, and only then the menu opens. So the menu gives
 * the focus back to the button when it closes.
 */
export function useTakesOver(): { readonly ready: boolean; readonly ref: Ref<HTMLButtonElement> } {
  const ref = useRef<HTMLButtonElement>(null);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    setReady(true);
  }, []);
  return { ready, ref };
}
