// What fields of configuration are called, by the key that stands last in their path; keys without words are shown as
// they are on the wire.
import type { FieldText } from "../parts/form/field-of-schema.ts";
import { useWords } from "../words/words.ts";

export function useFieldText(): (path: string) => FieldText | undefined {
  const { keys, help } = useWords("pool");
  const labels: Readonly<Record<string, string>> = keys;
  const said: Readonly<Record<string, string>> = help;
  return (path) => {
    if (path === "config.tls.reality.handshake.server") return { label: keys.site, help: help.site };
    if (path === "config.transport.type") return { label: keys.transport, none: "TCP" };
    const key = path.slice(path.lastIndexOf(".") + 1);
    // Further down it is a word of its own for each block.
    if (key === "type" && path !== key) return undefined;
    if (!Object.hasOwn(labels, key)) return undefined;
    return { label: labels[key] ?? key, ...(Object.hasOwn(said, key) ? { help: said[key] } : {}) };
  };
}
