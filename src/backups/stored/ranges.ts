// Which part of a file a request asks for (RFC 9110, 14): one range, or all of it.

export interface FileFacts {
  /** Bytes. */
  readonly size: number;
  /** Strong: the same text means the same bytes. */
  readonly etag: string;
  readonly modified: Date;
}

/** From the first byte to the last; `whole`: no part was asked for; `none`: nothing of it is in the file. */
export type Asked =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly first: number; readonly last: number }
  | { readonly kind: "none" };

/** `header`: a header of the request. What is no range of one part is answered with all of it, as the standard says. */
export function askedOf(header: (name: string) => string | undefined, file: FileFacts): Asked {
  const range = header("range");
  if (range === undefined || !isSame(header("if-range"), file)) return { kind: "whole" };
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d{0,16})-(\d{0,16})[ \t]*$/i.exec(range) ?? [];
  if (from === "" && to === "") return { kind: "whole" };
  const { size } = file;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return { kind: "whole" };
  if (first >= size || (from === "" && Number(to) === 0)) return { kind: "none" };
  return { kind: "part", first, last };
}

/** Whether the client has this very file already. */
export function isKnown(header: (name: string) => string | undefined, { etag, modified }: FileFacts): boolean {
  const tags = header("if-none-match");
  if (tags !== undefined) return tags.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
  const since = Date.parse(header("if-modified-since") ?? "");
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

/** `If-Range`: a part is wanted only of the file that the client has a part of. */
function isSame(condition: string | undefined, { etag, modified }: FileFacts): boolean {
  if (condition === undefined) return true;
  const text = condition.trim();
  return text === etag || text === modified.toUTCString();
}
