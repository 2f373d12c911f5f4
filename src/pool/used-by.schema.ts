// What uses a record of the pool, on the wire.
import { z } from "zod";
import { count } from "../http/index.ts";

const Named = z.object({ id: count, name: z.string() });
export type Named = z.output<typeof Named>;
/** Null: the caller may not read such records. */
const named = z.array(Named).nullable();

export const UsedBy = z
  .object({
    templates: named,
    nodes: named,
    inbounds: named,
    outbounds: named,
    tunnels: named,
    users: count.nullable(),
  })
  .meta({ id: "UsedBy" });
export type UsedBy = z.output<typeof UsedBy>;
