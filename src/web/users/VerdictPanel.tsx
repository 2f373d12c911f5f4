// Why the user cannot connect: what failed first with its button, then whatever else did, and what is not known.
import { Button, Group, List, Text } from "@mantine/core";
import type { z } from "zod";
import { Link } from "wouter";
import type { Verdict } from "../../subscriptions/verdict/verdict.schema.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Panel } from "../parts/Record.tsx";
import type { Verbs } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { useWritesUsers } from "../session/writes-users.ts";
import { verdictPath, type User } from "./user.ts";

type Answer = z.output<typeof Verdict>;
type Check = Answer["checks"][number];

const REFRESH_MS = 10_000;
/** The verb of the menu that helps, by what the check found. Every verb but `copy` needs the right to write. */
const VERBS: Readonly<Partial<Record<Check["code"], string>>> = {
  manual: "switch",
  expired: "renew",
  used_up: "extend",
  no_template: "edit",
  none_chosen: "edit",
  devices_full: "edit",
  never_fetched: "copy",
};
/** The list where it is mended. */
const LISTS: Readonly<Partial<Record<Check["code"], "templates" | "nodes">>> = {
  no_templates: "templates",
  no_inbound: "templates",
  on_loopback: "templates",
  no_node: "nodes",
  not_connected: "nodes",
  not_running: "nodes",
  some_nodes: "nodes",
  behind: "nodes",
  unacknowledged: "nodes",
  some_left_out: "nodes",
  not_listening: "nodes",
};
/** What is no fault and still says why nothing moves. */
const WAITING: ReadonlySet<Check["code"]> = new Set(["not_started", "never_fetched"]);

interface VerdictProps {
  readonly user: User;
  readonly verbs: Verbs<User>;
}

export function VerdictPanel({ user, verbs }: VerdictProps) {
  const words = useWords("users").verdict;
  const format = useFormat();
  const { data } = useApi<Answer>(verdictPath(user), {}, { refetchInterval: REFRESH_MS });
  if (!data) return null;
  // A panel of another version may say what these words do not have.
  const textOf = ({ state, code, text, values }: Check) => {
    // For nodes and inbounds, the values end with names.
    const names = LISTS[code] === "nodes" ? values.filter((value) => typeof value === "string") : [];
    const told =
      state !== "failed" && code in words.notes
        ? words.notes[code as keyof typeof words.notes](
            format.number(Number(values[0])),
            format.number(Number(values[1])),
          )
        : code in words.codes
          ? words.codes[code as keyof typeof words.codes]
          : text;
    return (
      <>
        {told} {names.length === 0 ? null : <bdi>{names.join(", ")}</bdi>}
      </>
    );
  };
  const isNote = ({ state, code }: Check) => state !== "failed" && code in words.notes;
  const failed = data.checks.filter(({ state }) => state === "failed");
  // What keeps a first connection or a fetch from coming is said before that none has come.
  const [first, ...others] = [...failed, ...data.checks.filter(({ code }) => WAITING.has(code))];
  const notes = data.checks.filter(isNote);
  const unknown = data.checks.filter(
    // The check `refused` is left out: while no client has asked, there is nothing to know.
    (each) => each.state === "unknown" && !WAITING.has(each.code) && each.check !== "refused" && !isNote(each),
  );
  return (
    <Panel title={words.title} id="verdict">
      {first ? (
        <Group justify="space-between" gap="sm">
          <div>
            <Text fw={550}>{textOf(first)}</Text>
            {first.since > 0 ? (
              <Text size="sm" c="dimmed">
                <Ago at={first.since} />
              </Text>
            ) : null}
          </div>
          <ActionButton code={first.code} user={user} verbs={verbs} />
        </Group>
      ) : (
        <Text>{words.fine}</Text>
      )}
      {others.length + notes.length === 0 ? null : (
        <List size="sm" mt="xs">
          {[...others, ...notes].map((each) => (
            <List.Item key={each.check}>{textOf(each)}</List.Item>
          ))}
        </List>
      )}
      {unknown.length === 0 ? null : (
        <Text size="xs" c="dimmed" mt="xs">
          {words.unknown} {unknown.map(({ check }) => words.checks[check]).join(" · ")}
        </Text>
      )}
    </Panel>
  );
}

function ActionButton({ code, user, verbs }: VerdictProps & { readonly code: Check["code"] }) {
  const words = useWords("users");
  const can = useCan();
  const writes = useWritesUsers();
  const list = LISTS[code];
  if (list !== undefined) {
    if (!can(`${list}:read`)) return null;
    return (
      <Button component={Link} href={`/${list}`} size="xs" variant="light">
        {words.verdict.actions[list]}
      </Button>
    );
  }
  const verb = VERBS[code];
  if (verb === undefined || (!writes && verb !== "copy")) return null;
  const labels: Readonly<Record<string, string>> = {
    switch: words.switchOn,
    renew: words.renew,
    extend: words.extend,
    edit: words.edit,
    copy: words.copyLink,
  };
  return (
    <Button size="xs" variant="light" onClick={() => verbs.run(user, verb)}>
      {labels[verb]}
    </Button>
  );
}
