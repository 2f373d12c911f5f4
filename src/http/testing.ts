// What tests use of this room, and no other room does.
export { type ShortRequest } from "./shortcuts.ts";
