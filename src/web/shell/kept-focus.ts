// A button that works on something cannot be pressed meanwhile, and a browser takes the focus away from what cannot be
// pressed: whoever uses the keyboard would begin at the top of the page again.

/** Gives the focus back to what lost it so, once it can be pressed again and nothing else has the focus. */
export function keepFocus(): void {
  let last: EventTarget | null = null;
  document.addEventListener("focusin", ({ target }) => (last = target));
  new MutationObserver((changes) => {
    if (document.activeElement !== document.body) return;
    for (const { target } of changes)
      if (target === last && target instanceof HTMLButtonElement && !target.disabled)
        target.focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ["disabled"] });
}
