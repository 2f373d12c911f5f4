// What the page gains from a script: copying, forgetting a device, Esc on the large QR code, and telling an iPad from a
// Mac. Everything else works without.
import { inline, type Inline } from "./html.ts";

const TEXT = `(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const said = document.getElementById("said");
  const mark = (button, text) => {
    const label = button.querySelector("span") || button;
    const before = button.dataset.label || label.textContent;
    button.dataset.label = before;
    label.textContent = text;
    said.textContent = text;
    clearTimeout(button.timer);
    button.timer = setTimeout(() => { label.textContent = before; said.textContent = ""; }, 2500);
  };
  const select = (source) => {
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  const byHand = (button, source) => {
    source.style.display = "block";
    select(source);
    let done = false;
    try { done = document.execCommand("copy"); } catch { done = false; }
    if (done) source.style.display = "";
    mark(button, done ? root.dataset.copied : root.dataset.byHand);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    if (!navigator.clipboard) { byHand(button, source); return; }
    navigator.clipboard.writeText(source.textContent).then(() => mark(button, root.dataset.copied), () => byHand(button, source));
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-forget]");
    if (!button || button.disabled) return;
    if (!button.dataset.asked) {
      button.dataset.asked = "yes";
      setTimeout(() => { delete button.dataset.asked; }, 2500);
      mark(button, root.dataset.sure);
      return;
    }
    button.disabled = true;
    const failed = () => { button.disabled = false; mark(button, root.dataset.failed); };
    fetch(button.dataset.forget, { method: "DELETE" }).then((answer) => {
      if (!answer.ok) { failed(); return; }
      button.closest("li").remove();
      said.textContent = root.dataset.gone;
    }, failed);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && location.hash.startsWith("#qr")) location.hash = "#main";
  });
  const tablet = document.getElementById("on-ios");
  const desk = document.getElementById("on-macos");
  if (tablet && desk && desk.checked && navigator.maxTouchPoints > 1) tablet.checked = true;
})();`;

export const SCRIPT: Inline = inline("script", TEXT);
