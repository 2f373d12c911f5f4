// Texts that go over the wire in base64, as people read them.

/** UTF-8 out of base64; undefined for what is none. */
export function decodedText(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What a header says that is written as `base64:…`; undefined for any other. */
export function readableHeader(value: string): string | undefined {
  return value.startsWith("base64:") ? decodedText(value.slice("base64:".length)) : undefined;
}
