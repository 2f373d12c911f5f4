// Words that only some pages need: each area is loaded with the first page that shows it, so that no other visit
// carries it. The build names the areas of each page (`vite/first-loads.ts`).
import type { LaterLoaders, LaterWords } from "./language.ts";

type Area = keyof LaterWords;
const loading = new WeakMap<LaterLoaders, Map<Area, Promise<LaterWords[Area]>>>();

/** Always the same promise for an area of a language. */
export function laterWords(loaders: LaterLoaders, area: Area): Promise<LaterWords[Area]> {
  const known = loading.get(loaders) ?? new Map<Area, Promise<LaterWords[Area]>>();
  loading.set(loaders, known);
  const words = known.get(area) ?? loaders[area]();
  known.set(area, words);
  return words;
}

/** All areas at once. */
export async function allLater(loaders: LaterLoaders): Promise<LaterWords> {
  const load = async <A extends Area>(area: A): Promise<readonly [A, LaterWords[A]]> => [area, await loaders[area]()];
  const areas = await Promise.all(Object.keys(loaders).map((area) => load(area as Area)));
  return Object.fromEntries(areas) as LaterWords;
}
