// The drawings that come with this interface, each loaded when it is first needed.
import type { ChartGeometry } from "./geometry.ts";

const FILES = import.meta.glob<ChartGeometry>("./geometry/*.json", { import: "default" });

const loaded = new Map<string, ChartGeometry>();

/** Undefined: there is no drawing of this kind, or it is of another definition than the one that runs. */
export async function loadGeometry(kind: string, digest: string): Promise<ChartGeometry | undefined> {
  await beginGeometry(kind);
  return geometryAtHand(kind, digest);
}

/** Loads the drawing of a kind before it is known which definition runs. */
export async function beginGeometry(kind: string): Promise<void> {
  const geometry = await FILES[`./geometry/${kind}.json`]?.();
  if (geometry) loaded.set(kind, geometry);
}

/** The drawing, where it has been loaded. */
export function geometryAtHand(kind: string, digest: string): ChartGeometry | undefined {
  const geometry = loaded.get(kind);
  return geometry?.digest === digest ? geometry : undefined;
}
