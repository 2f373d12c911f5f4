// The text of a header as its client wrote it. Node hands each byte over as a character of its own; clients write names
// of devices, and of themselves, in UTF-8.
const decoder = new TextDecoder("utf-8", { fatal: true });
const BYTES = /[\u0080-\u00ff]/;
const BEYOND = /[\u0100-\uffff]/;

/** The text in UTF-8 where the bytes are that; else as it came. Cut it afterwards: half a character is no UTF-8. */
export function headerText(raw: string): string {
  // Nearly all headers; and what is beyond a byte is no header's, and was read before.
  if (!BYTES.test(raw) || BEYOND.test(raw)) return raw;
  try {
    return decoder.decode(Buffer.from(raw, "latin1"));
  } catch (error) {
    if (error instanceof TypeError) return raw;
    throw error;
  }
}
