// The drawings that come with this interface, each loaded when it is first needed.
import type { ChartGeometry } from "./geometry.ts";

const FILES = import.meta.glob<ChartGeometry>("./geometry/*.json", { import: "default" });

/** Undefined: there is no drawing of this kind, or it is of another definition than the one that runs. */
export async function loadGeometry(kind: string, digest: string): Promise<ChartGeometry | undefined> {
  const geometry = await FILES[`./geometry/${kind}.json`]?.();
  return geometry?.digest === digest ? geometry : undefined;
}
