// The drawing of a chart that runs, where this interface has one of exactly that version.
import { useQuery } from "@tanstack/react-query";
import { geometryAtHand, loadGeometry } from "../../chart/geometries.ts";
import type { ChartGeometry } from "../../chart/geometry.ts";
import type { Chart } from "../use-machines.ts";

/** `undefined` while it loads; null: there is none, the outline says all. */
export function useGeometry(chart: Chart | undefined): ChartGeometry | null | undefined {
  const { kind = "", digest = "" } = chart?.machine ?? {};
  const drawable = chart?.graph.drawable ?? false;
  const { data } = useQuery({
    queryKey: ["geometry", kind, digest],
    queryFn: async () => (await loadGeometry(kind, digest)) ?? null,
    // Drawn at once, not a rendering later.
    initialData: () => geometryAtHand(kind, digest),
    enabled: drawable,
    staleTime: Infinity,
  });
  return chart && !drawable ? null : data;
}
