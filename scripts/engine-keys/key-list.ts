// The list of every key that an engine reads, as it is kept beside the tests: blocks by name, each with its keys and
// the block that stands under each of them.
import { z } from "zod";
import { type GoField, type GoPackage, structOf } from "./go-structs.ts";

const Block = z.object({
  /** By key: the block under it, or the empty text for a plain value. */
  keys: z.record(z.string(), z.string()),
  /** Blocks whose keys are this one's too. */
  embeds: z.array(z.string()).optional(),
  /** Further keys by the value of one of them. */
  by: z.object({ key: z.string(), of: z.record(z.string(), z.string()) }).optional(),
});
export type Block = z.infer<typeof Block>;

export const KeyList = z.object({
  engine: z.string(),
  version: z.string(),
  roots: z.record(z.string(), z.string()),
  blocks: z.record(z.string(), Block),
});
export type KeyList = z.infer<typeof KeyList>;

/** Types that an engine's parts register for themselves, by the block whose `type` picks them. */
export type Registered = Readonly<
  Record<string, { readonly key: string; readonly of: Readonly<Record<string, string>> }>
>;

/** Every block that is reached from `roots`. */
export function listKeys(
  roots: Readonly<Record<string, string>>,
  go: GoPackage,
  registered: Registered,
): KeyList["blocks"] {
  const blocks: Record<string, Block> = {};
  const waiting = Object.values(roots);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === "" || blocks[name]) continue;
    const block = blockOf(name, go, registered);
    blocks[name] = block;
    waiting.push(...Object.values(block.keys), ...(block.embeds ?? []), ...Object.values(block.by?.of ?? {}));
  }
  return Object.fromEntries(Object.entries(blocks).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function blockOf(name: string, go: GoPackage, registered: Registered): Block {
  const struct = structOf(name, go);
  if (struct === undefined) throw new Error(`there is no struct ${name}`);
  const fields = go.structs.get(struct) ?? [];
  const isBlock = ({ type }: GoField): boolean => structOf(type, go) !== undefined;
  const keys = fields.flatMap((field) =>
    field.key === "" ? [] : [[field.key, isBlock(field) ? field.type : ""] as const],
  );
  const embeds = fields.filter((field) => field.name === "" && isBlock(field)).map(({ type }) => type);
  const choice = go.choices.get(name);
  const by = registered[name] ?? (choice && chosen(choice, struct, go));
  return {
    keys: Object.fromEntries(keys.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    ...(embeds.length > 0 && { embeds }),
    ...(by && { by }),
  };
}

function chosen(
  choice: { by: string; of: Readonly<Record<string, string>> },
  struct: string,
  go: GoPackage,
): Block["by"] {
  const fields = go.structs.get(struct) ?? [];
  const key = fields.find(({ name }) => name === choice.by)?.key ?? "";
  const of = Object.entries(choice.of).map(
    ([value, field]) => [value, fields.find(({ name }) => name === field)?.type ?? ""] as const,
  );
  return { key, of: Object.fromEntries(of) };
}
