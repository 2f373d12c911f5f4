// What the keys do on this page.
import { Modal } from "@mantine/core";
import { Keys } from "../parts/Names.tsx";
import { useWords } from "../words/words.ts";
import { useKeyList, type ListedKey } from "../browser/keys.ts";
import classes from "./key-list.module.css";

/** Keys of the shell; the others are the page's. */
const isShells = ({ key }: ListedKey): boolean => key === "mod+k" || key === "?" || key.startsWith("g ");

export default function KeyList({ onClose }: { readonly onClose: () => void }) {
  const { keys: words, close } = useWords("shell");
  const keys = useKeyList();
  const groups = [
    { title: words.onThisPage, keys: keys.filter((key) => !isShells(key)) },
    { title: words.everywhere, keys: [...keys.filter(isShells), { key: "esc", label: words.close }] },
  ];
  return (
    <Modal opened onClose={onClose} title={words.title} size="lg" closeButtonProps={{ "aria-label": close }}>
      <div className={classes["groups"]}>
        {groups
          .filter((group) => group.keys.length > 0)
          .map((group) => (
            <section key={group.title}>
              <h3 className={classes["title"]}>{group.title}</h3>
              <dl className={classes["list"]}>
                {group.keys.map(({ key, label }) => (
                  <div key={key}>
                    <dt>{label}</dt>
                    <dd>
                      <Keys>{shown(key)}</Keys>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Modal>
  );
}

const SHOWN: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  enter: "↵",
  shift: "⇧",
  mod: "Ctrl",
  esc: "Esc",
};

/** `shift+x` as the caps say it. */
function shown(key: string): string {
  return key
    .split(/[ +]/)
    .map((each) => SHOWN[each] ?? (each.length === 1 ? each.toUpperCase() : each))
    .join(" ");
}
