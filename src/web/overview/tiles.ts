// Which figures the overview shows, and in which order: a person's choice as the panel keeps it. Pure.

export const TILE_IDS = ["users", "online", "nodes", "panel", "ending", "spent"] as const;
export type TileId = (typeof TILE_IDS)[number];

/** Until somebody chooses. */
const USUAL: readonly TileId[] = ["users", "online", "nodes", "panel"];

const isTile = (key: string): key is TileId => (TILE_IDS as readonly string[]).includes(key);

/**
 * The choice that is kept (`dashboardTiles`), of the tiles that this person may see; nothing chosen: the usual ones.
 */
export function chosenTiles(kept: string | null, may: (id: TileId) => boolean): readonly TileId[] {
  const chosen = [...new Set((kept ?? "").split(",").filter(isTile))];
  return (chosen.length === 0 ? USUAL : chosen).filter(may);
}

/**
 * The choice as it is kept. Keys of others stay behind it; tiles that this person may not see now keep their place at
 * the end.
 */
export function keptTiles(chosen: readonly TileId[], kept: string | null, may: (id: TileId) => boolean): string {
  const others = (kept ?? "").split(",").filter((key) => key !== "" && !(isTile(key) && may(key)));
  return [...chosen, ...others].join(",");
}

/** One place up or down. */
export function moved(chosen: readonly TileId[], id: TileId, by: -1 | 1): readonly TileId[] {
  const at = chosen.indexOf(id);
  const to = at + by;
  if (at === -1 || to < 0 || to >= chosen.length) return chosen;
  return chosen.with(at, chosen[to] ?? id).with(to, id);
}
