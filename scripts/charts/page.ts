// The page of a chart in docs/charts/: its drawing and everything that the chart says about itself.
import { nodesOf } from "../../src/runtime/index.ts";
import type { ChartSource } from "./charts.ts";
import { nameOf, transitionsOf, type ChartNode, type Transition } from "./transitions.ts";

type Machine = ChartSource["machine"];

const LEGEND =
  "A box is a state; rows in it are what it awaits by itself (a clock: a deadline, a cross: work that failed), what runs while it is held (a triangle) and what is taken without leaving it (a round arrow). A dashed wire belongs to such a deadline or failure. A dashed box is left in the step that enters it, or stands for any state around it. On the wires: the event, and the guard in brackets; a grey dot is taken at once.";

export function pageOf({ kind, machine, role }: ChartSource): string {
  const { root } = machine;
  const transitions = transitionsOf(root);
  const parts = [
    `# Chart: ${kind}`,
    `Written by \`npm run charts\` from [machines/${kind}.ts](../../machines/${kind}.ts).`,
    role,
    picture(kind),
    LEGEND,
    section("States", ["State", "Meaning", "Entered by", "Left by"], states(root, transitions)),
    section("Events", ["Event", "Taken in", "Leads to"], events(transitions)),
    section(
      "Transitions",
      ["From", "On", "If", "To", "Does"],
      transitions.map((transition) => [
        code(nameOf(transition.from)),
        transition.label,
        code(transition.guard ?? ""),
        transition.to ? code(nameOf(transition.to)) : "stays",
        transition.actions.map(({ type }) => code(type)).join(", "),
      ]),
    ),
    section("Deadlines", ["Deadline", "Lasts", "In", "Leads to"], deadlines(machine, transitions)),
    section("Effects", ["Effect", "Carried out by", "While in", "Then"], effects(root, transitions)),
    section("Emitted events", ["Event", "By"], emitted(machine, transitions)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

export function picture(kind: string): string {
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${kind}.dark.svg"><img alt="State chart of ${kind}" src="${kind}.svg"></picture>`;
}

/** What leaves an outer state leaves each state in it: it is named once, at the outer one. */
function states(root: ChartNode, transitions: readonly Transition[]): string[][] {
  return nodesOf(root)
    .filter((node) => node !== root)
    .map((node) => {
      const into = transitions.filter(({ from, to }) => to === node && from !== node);
      const out = transitions.filter(({ from, to }) => from === node && to !== undefined && to !== node);
      return [
        code(nameOf(node)),
        node.description ?? "",
        distinct([...startOf(node), ...into.map(({ from, label }) => `${label} in ${code(nameOf(from))}`)]),
        distinct(out.map(({ label }) => label)),
      ];
    });
}

/** The first state of what is around it is entered with that. */
function startOf(node: ChartNode): string[] {
  const { parent } = node;
  if (!parent?.initial.target?.includes(node)) return [];
  return [parent.parent ? `with ${code(nameOf(parent))}` : "at the start"];
}

/** Events that are sent to the chart; its own deadlines and effects have tables of theirs. */
function events(transitions: readonly Transition[]): string[][] {
  const sent = Map.groupBy(
    transitions.filter(({ event }) => event !== "" && !event.startsWith("xstate.")),
    ({ event }) => event,
  );
  return [...sent].map(([event, taken]) => [
    code(event),
    distinct(taken.map(({ from }) => code(nameOf(from)))),
    distinct(taken.map(({ to }) => (to ? code(nameOf(to)) : "stays"))),
  ]);
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].join(", ");
}

function deadlines(machine: Machine, transitions: readonly Transition[]): string[][] {
  return nodesOf(machine.root).flatMap((node) =>
    node.after.map(({ eventType, delay }) => {
      const name = String(delay);
      const to = transitions
        .filter((transition) => transition.from === node && transition.event === eventType)
        .map((transition) => targetOf(transition));
      return [code(name), durationOf(machine.implementations.delays[name]), code(nameOf(node)), to.join(", ")];
    }),
  );
}

function durationOf(delay: unknown): string {
  return typeof delay === "number" ? `${delay / 1000} s` : "follows from the actor";
}

function effects(root: ChartNode, transitions: readonly Transition[]): string[][] {
  return nodesOf(root).flatMap((node) =>
    node.invoke.map(({ id, src }) => {
      const then = transitions
        .filter(
          (transition) =>
            transition.from === node && new RegExp(`^xstate\\.(done|error)\\.actor\\.${id}$`).test(transition.event),
        )
        .map((transition) => `${transition.label}: ${targetOf(transition)}`);
      return [
        code(id),
        code(typeof src === "string" ? src : id),
        code(nameOf(node)),
        then.length === 0 ? "lives as long as the state" : then.join(", "),
      ];
    }),
  );
}

function targetOf(transition: Transition): string {
  const to = transition.to ? code(nameOf(transition.to)) : "stays";
  return transition.guard === undefined ? to : `${to} if ${code(transition.guard)}`;
}

/** What the chart emits, with the actions that do. */
function emitted(machine: Machine, transitions: readonly Transition[]): string[][] {
  const entries = nodesOf(machine.root).flatMap((node) => [...node.entry, ...node.exit]);
  const used = [
    ...transitions.flatMap((transition) => transition.actions),
    ...entries
      .filter((action): action is string => typeof action === "string")
      .map((type) => ({ type, params: undefined })),
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
  if (typeof action !== "function" || !("event" in action) || !("type" in action) || action.type !== "xstate.emit")
    return undefined;
  const event: unknown =
    typeof action.event === "function" ? action.event({ context: {}, event: { type: "" } }, params) : action.event;
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
