// What tests use of this room, and no other room does.
export type { StaticPart } from "./feature.ts";
