// A node's actor as the API answers it, and what its context says.
import type { z } from "zod";
import type {
  ActorDetail as ActorDetailView,
  JournalEntry as JournalEntryView,
} from "../../system/actors/actor.schema.ts";

export type ActorDetail = z.output<typeof ActorDetailView>;
export type JournalEntry = z.output<typeof JournalEntryView>;

/** A text of the context; empty where it says none. */
export function contextText(actor: Pick<ActorDetail, "context"> | undefined, field: string): string {
  const value = actor?.context[field];
  return typeof value === "string" ? value : "";
}
