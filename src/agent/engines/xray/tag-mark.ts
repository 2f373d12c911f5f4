// Access lines that end in one of our marked tags. A hysteria2 client may name a host with spaces and line breaks,
// which Xray writes into its log as they are: only a line that ends in a tag with the mark was written by the engine
// itself.
import { type AccessLine, parseAccessLine } from "../process/view/access-log.ts";

/**
 * A reader of access lines whose inbound tags end in `mark`. Xray writes a record in one piece, so what stands between
 * a head without such an end and the next such end is of one record: its first head says from where, its end says who,
 * and lines in between are the client's invention.
 */
export function markedLineReader(mark: string): (line: string) => AccessLine | undefined {
  const tail = new RegExp(
    ` \\[(in\\.[1-9]\\d*\\.[ab])${mark.replaceAll(".", "\\.")} (?:->|>>|==>) (.*)\\](?: email: (\\S+))?$`,
  );
  let head: AccessLine | undefined;
  return (line) => {
    const own = parseAccessLine(line);
    const match = tail.exec(line);
    if (!match) {
      head ??= own;
      return undefined;
    }
    const from = head ?? own;
    head = undefined;
    return from && { ...from, inboundTag: match[1], outbound: match[2] ?? "", user: match[3] };
  };
}
