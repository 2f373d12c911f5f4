// An operator as the API answers it.
import type { z } from "zod";
import type { Admin as AdminView, AdminUpdate } from "../../access/operators/admins.schema.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";

export type Admin = z.output<typeof AdminView>;
export type AdminBody = z.input<typeof AdminUpdate>;

export const ADMINS: RecordKind<Admin> = {
  list: "/admins",
  name: ({ username }) => username,
  touches: () => ["/roles", "/me"],
};
