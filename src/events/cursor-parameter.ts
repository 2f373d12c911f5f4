// The parameter `cursor` of the log and of the feed: empty means from the oldest event that is kept.
import { z } from "zod";
import { rule } from "../http/index.ts";
import { MOST_CURSOR, type LogCursor, type LogCursors } from "./log-cursor.ts";

export type CursorParameter = z.ZodType<LogCursor | "oldest", string>;

export function cursorParameter(cursors: LogCursors): CursorParameter {
  return z
    .string()
    .max(MOST_CURSOR)
    .transform((text, context) => {
      const cursor = text === "" ? "oldest" : cursors.read(text);
      if (cursor !== undefined) return cursor;
      context.addIssue({ code: "custom", ...rule("unfit") });
      return z.NEVER;
    });
}
