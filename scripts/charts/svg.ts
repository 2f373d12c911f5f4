// A drawing as a file of its own, for pages that run nothing: once for light paper, once for dark.
import type { ChartGraph, Box, Wire } from "../../src/web/chart/graph.ts";
import type { Geometry, Rectangle } from "../../src/web/chart/geometry.ts";
import { ANY, PAD, PILL, ROW, rowText, ROWS_TOP, SIGN, START, TITLE } from "../../src/web/chart/metrics.ts";
import { ARROW, SIGN_PATHS, signOf } from "../../src/web/chart/signs.ts";
import { textWidth } from "../../src/web/chart/text-width.ts";

export type Scheme = "light" | "dark";

const COLOURS = {
  light: {
    paper: "#ffffff",
    box: "#ffffff",
    edge: "#d0d2d8",
    inside: "#18181b08",
    insideEdge: "#dcdde2",
    ink: "#18181b",
    dim: "#63656e",
    wire: "#a3a5ae",
    event: "#4348c7",
    done: "#15803d",
    failed: "#dc2626",
    timer: "#b45309",
    always: "#8b8d98",
  },
  dark: {
    paper: "#0d1117",
    box: "#1b1f27",
    edge: "#3a3f4a",
    inside: "#ffffff08",
    insideEdge: "#2c313b",
    ink: "#f0f1f3",
    dim: "#a0a4ae",
    wire: "#6d727e",
    event: "#a2a6ff",
    done: "#4ade80",
    failed: "#f87171",
    timer: "#fbbf24",
    always: "#8b8d98",
  },
} as const;

type Colours = (typeof COLOURS)[Scheme];

export function svgOf(graph: ChartGraph, geometry: Geometry, title: string, scheme: Scheme): string {
  const colours = COLOURS[scheme];
  const { width, height } = geometry;
  // Outer boxes lie below inner ones, wires above both, words above wires.
  const boxes = [...graph.boxes.values()].toSorted((a, b) => depthOf(a) - depthOf(b));
  const outer = boxes.filter(({ kind }) => kind === "compound");
  const inner = boxes.filter(({ kind }) => kind !== "compound");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="'Inter Variable', Inter, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="${ROW.size}" font-weight="${ROW.weight}">`,
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    ...outer.map((box) => frame(geometry.boxes[box.id], 11, colours.inside, colours.insideEdge)),
    ...[...graph.wires.values()].map((wire) => line(wire, geometry, colours)),
    ...graph.starts.map(({ id }) => start(geometry.starts[id], colours)),
    ...inner.map((box) => innerBox(box, geometry, colours)),
    ...outer.map((box) => head(box, geometry, colours, colours.dim)),
    ...[...graph.wires.values()].map((wire) => pill(wire, geometry, colours)),
    "</svg>\n",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function depthOf({ id }: Box): number {
  return id.split(".").length;
}

function frame(rectangle: Rectangle | undefined, radius: number, fill: string, stroke: string, more = ""): string {
  if (!rectangle) return "";
  const [x, y, width, height] = rectangle;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" stroke="${stroke}"${more}/>`;
}

function line({ id, dashed }: Wire, { wires }: Geometry, colours: Colours): string {
  const wire = wires[id];
  if (!wire) return "";
  const dashes = dashed ? ' stroke-dasharray="4 3.5"' : "";
  return `<path d="${wire.d}" fill="none" stroke="${colours.wire}" stroke-width="1.3"${dashes}/>${arrow(wire.tip, colours.wire)}`;
}

function arrow([x, y, angle]: readonly [number, number, number], fill: string): string {
  return `<path d="${ARROW}" transform="translate(${x} ${y}) rotate(${angle})" fill="${fill}"/>`;
}

function start(dot: Geometry["starts"][string] | undefined, { ink }: Colours): string {
  if (!dot) return "";
  return `<circle cx="${dot.at[0]}" cy="${dot.at[1]}" r="${START / 2}" fill="${ink}"/><path d="${dot.d}" fill="none" stroke="${ink}" stroke-width="1.3"/>${arrow(dot.tip, ink)}`;
}

function innerBox(box: Box, geometry: Geometry, colours: Colours): string {
  const rectangle = geometry.boxes[box.id];
  if (!rectangle) return "";
  const [x, y, width, height] = rectangle;
  if (box.kind === "any") {
    const words = text(x + ANY.pad, y + height / 2 + 4, box.name, colours.dim);
    return frame(rectangle, ANY.height / 2, colours.paper, colours.wire, ' stroke-dasharray="3 3"') + words;
  }
  const dashes = box.passing ? ' stroke-dasharray="3 3"' : "";
  const end = box.kind === "final" ? frame([x - 3, y - 3, width + 6, height + 6], 10, "none", colours.edge) : "";
  return (
    end +
    frame(rectangle, 8, colours.box, colours.edge, dashes) +
    head(box, geometry, colours, box.passing ? colours.dim : colours.ink)
  );
}

/** Name and rows of a box. */
function head(box: Box, { boxes, heads, words }: Geometry, colours: Colours, ink: string): string {
  const rectangle = boxes[box.id];
  if (!rectangle) return "";
  const [left, y] = rectangle;
  const x = heads[box.id] ?? left;
  const title = `<text x="${x + PAD}" y="${y + TITLE.baseline}" font-size="${TITLE.size}" font-weight="${TITLE.weight}" fill="${ink}">${escaped(box.name)}</text>`;
  const rows = (words ? box.rows : []).map((row, index) => {
    const top = y + ROWS_TOP + index * ROW.height;
    const sign = signOf(row);
    const colour = sign === "failed" || sign === "timer" ? colours[sign] : colours.dim;
    const drawn = `<path d="${SIGN_PATHS[sign]}" transform="translate(${x + PAD} ${top + 4})" fill="${sign === "effect" ? colour : "none"}" stroke="${colour}" stroke-width="1.2"/>`;
    const { text: said, guard } = rowText(row);
    return drawn + text(x + PAD + SIGN, top + 13, said, colours.dim, guard, colours.always);
  });
  return title + rows.join("");
}

function pill({ id, labels }: Wire, { wires }: Geometry, colours: Colours): string {
  const at = wires[id]?.pill;
  if (!at || labels.length === 0) return "";
  const [x, y, , height] = at;
  const rows = labels.map(({ kind, text: words, guard }, index) => {
    const middle = y + PILL.top + (index + 0.5) * PILL.row;
    return `<circle cx="${x + PILL.dot}" cy="${middle}" r="2.5" fill="${colours[kind]}"/>${text(x + PILL.start, middle + 4, words, colours.ink, guard, colours.dim)}`;
  });
  return frame(at, Math.min(height / 2, 10), colours.box, colours.edge) + rows.join("");
}

function text(x: number, y: number, words: string, fill: string, guard = "", dim = fill): string {
  const after = words === "" ? x : x + textWidth(words, ROW.size, ROW.weight) + PILL.gap;
  const first = words === "" ? "" : `<text x="${x}" y="${y}" fill="${fill}">${escaped(words)}</text>`;
  return guard === ""
    ? first
    : `${first}<text x="${Math.round(after * 10) / 10}" y="${y}" fill="${dim}">${escaped(guard)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
