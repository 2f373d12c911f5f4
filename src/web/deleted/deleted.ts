// A deleted user as the API answers it.
import type { z } from "zod";
import type { DeletedUser as Answer, DeletedUserRecord } from "../../accounts/deleted/deleted.schema.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";

export type DeletedUser = z.output<typeof Answer>;
export type DeletedRecord = z.output<typeof DeletedUserRecord>;

export const DELETED: RecordKind<DeletedUser> = {
  list: "/users/deleted",
  name: ({ name }) => name,
  touches: (id) => ["/users", "/users/summary", `/users/${id}`],
};
