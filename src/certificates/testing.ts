// What tests use of this room, and no other room does.
export { issueSelfSigned } from "./self-signed.ts";
