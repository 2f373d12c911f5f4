// The page of a chart in docs/charts/: its drawing and everything that the chart says about itself.
import { Chart, nodesOf } from "../src/runtime/index.ts";
import { arrowsOf, drawingOf, nameOf, type Arrow, type ChartNode } from "./chart-drawing.ts";

type Machine = Chart<unknown>["machine"];

/** `role`: what the chart's file says on top. */
export function pageOf(kind: string, machine: Machine, role: string): string {
  const { root } = machine;
  const arrows = arrowsOf(root);
  const parts = [
    `# Chart: ${kind}`,
    `Written by \`npm run charts\` from [machines/${kind}.ts](../../machines/${kind}.ts).`,
    role,
    `\`\`\`mermaid\n${drawingOf(root)}\n\`\`\``,
    "Labels: the event, or the deadline (`after …`), or *at once* for a transition that is taken in the same step; the guard in brackets. A transition of an outer state that leads to a state within it is drawn from the other states inside.",
    section("States", ["State", "Meaning"], states(root)),
    section(
      "Transitions",
      ["From", "On", "If", "To", "Does"],
      arrows.map((arrow) => [
        code(nameOf(arrow.from)),
        arrow.label,
        code(arrow.guard ?? ""),
        arrow.to ? code(nameOf(arrow.to)) : "stays",
        arrow.actions.map(({ type }) => code(type)).join(", "),
      ]),
    ),
    section("Deadlines", ["Deadline", "Lasts", "In", "Leads to"], deadlines(machine, arrows)),
    section("Effects", ["Effect", "Carried out by", "While in", "Then"], effects(root, arrows)),
    section("Emitted events", ["Event", "By"], emitted(machine, arrows)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function states(root: ChartNode): string[][] {
  return nodesOf(root)
    .filter((node) => node !== root && (node.description !== undefined || Object.keys(node.states).length === 0))
    .map((node) => [code(nameOf(node)), node.description ?? ""]);
}

function deadlines(machine: Machine, arrows: readonly Arrow[]): string[][] {
  return nodesOf(machine.root).flatMap((node) =>
    node.after.map(({ eventType, delay }) => {
      const name = String(delay);
      const to = arrows.filter((arrow) => arrow.from === node && arrow.event === eventType).map((arrow) => targetOf(arrow));
      return [code(name), durationOf(machine.implementations.delays[name]), code(nameOf(node)), to.join(", ")];
    }),
  );
}

function durationOf(delay: unknown): string {
  return typeof delay === "number" ? `${delay / 1000} s` : "follows from the actor";
}

function effects(root: ChartNode, arrows: readonly Arrow[]): string[][] {
  return nodesOf(root).flatMap((node) =>
    node.invoke.map(({ id, src }) => {
      const then = arrows
        .filter((arrow) => arrow.from === node && new RegExp(`^xstate\\.(done|error)\\.actor\\.${id}$`).test(arrow.event))
        .map((arrow) => `${arrow.label}: ${targetOf(arrow)}`);
      return [
        code(id),
        code(typeof src === "string" ? src : id),
        code(nameOf(node)),
        then.length === 0 ? "lives as long as the state" : then.join(", "),
      ];
    }),
  );
}

function targetOf(arrow: Arrow): string {
  const to = arrow.to ? code(nameOf(arrow.to)) : "stays";
  return arrow.guard === undefined ? to : `${to} if ${code(arrow.guard)}`;
}

/** What the chart emits, with the actions that do. */
function emitted(machine: Machine, arrows: readonly Arrow[]): string[][] {
  const entries = nodesOf(machine.root).flatMap((node) => [...node.entry, ...node.exit]);
  const used = [
    ...arrows.flatMap((arrow) => arrow.actions),
    ...entries.filter((action): action is string => typeof action === "string").map((type) => ({ type, params: undefined })),
  ];
  const by = new Map<string, Set<string>>();
  for (const { type, params } of used) {
    const event = emittedBy(machine.implementations.actions[type], params);
    if (event === undefined) continue;
    const actions = by.get(event);
    if (actions) actions.add(type);
    else by.set(event, new Set([type]));
  }
  return [...by].map(([event, actions]) => [code(event), [...actions].map((action) => code(action)).join(", ")]);
}

/** The type of the event that an action emits; undefined for actions that emit none. */
function emittedBy(action: unknown, params: unknown): string | undefined {
  if (typeof action !== "function" || !("event" in action) || !("type" in action) || action.type !== "xstate.emit") return undefined;
  const event: unknown = typeof action.event === "function" ? action.event({ context: {}, event: { type: "" } }, params) : action.event;
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : undefined;
  if (typeof type !== "string") throw new Error("a chart emits an event without a type");
  return type;
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [`## ${title}`, "", line(head), line(head.map(() => "---")), ...rows.map((row) => line(row))].join("\n");
}

function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}
