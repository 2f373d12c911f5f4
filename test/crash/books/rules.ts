// What must hold in a panel's database whatever the moment of a kill: each rule is a query that finds what breaks it.
import { isDeepStrictEqual } from "node:util";
import type { Query } from "./disk.ts";

const ACTOR_TABLES = { user: "users", node: "nodes", reseller: "resellers", job: "jobs" };
const ACTORS = `(${Object.entries(ACTOR_TABLES)
  .map(([kind, table]) => `select '${kind}' as kind, id, rev, mstate, due_at, fault_count from ${table}`)
  .join(" union all ")})`;

/** The delay that a state of a chart must have armed; every other state has no timer but `due`. */
const ARMED: readonly (readonly [kind: string, state: string, timer: string])[] = [
  ["node", "linked.connecting.dialing", "dialDeadline"],
  ["node", "linked.connecting.syncing", "syncDeadline"],
  ["node", "error.waiting", "backoff"],
  ["reseller", "closing", "stall"],
  ["reseller", "opening", "stall"],
  ["job", "queued", "turnDeadline"],
  ["job", "running.stepping", "stall"],
  ["job", "cancelling", "restDeadline"],
];
const armed = ARMED.map(
  ([kind, state, delay]) =>
    `select '${kind}' as kind, '${state}' as state, 'xstate.after.${delay}.${kind}.${state}' as timer`,
).join(" union all ");

/** Tables whose ids come from a sequence of their own name. */
const NUMBERED = [
  "journal",
  "events",
  "deliveries",
  "users",
  "nodes",
  "inbounds",
  "fronts",
  "outbounds",
  "templates",
  "webhooks",
  "api_tokens",
  "changes",
  "admins",
];

const RULES: Readonly<Record<string, string>> = {
  "a journal has a gap": `
    select kind, actor_id from journal group by kind, actor_id having count(*) <> max(seq) or min(seq) <> 1`,
  "an entry does not begin where the one before ended": `
    select * from (select kind, actor_id, seq, from_state, lag(to_state) over (partition by kind, actor_id order by seq) as before from journal) t
    where coalesce(from_state, '-') <> coalesce(before, '-')`,
  "an entry does not name the one before it": `
    select e.kind, e.actor_id, e.seq, e.previous from journal e left join journal p on p.id = e.previous
    where coalesce(p.seq, 0) <> e.seq - 1 or (e.previous is not null and (p.kind <> e.kind or p.actor_id <> e.actor_id))`,
  "an actor is not the end of its journal": `
    select a.kind, a.id, a.mstate, a.rev, e.to_state from ${ACTORS} a left join journal e on e.kind = a.kind and e.actor_id = a.id and e.seq = a.rev
    where e.id is null or e.to_state <> a.mstate or a.rev <> (select max(seq) from journal m where m.kind = a.kind and m.actor_id = a.id)`,
  "an actor is gone whose journal goes on, or the reverse": `
    select j.kind, j.actor_id, j.to_state, a.id from
      (select kind, actor_id, to_state, row_number() over (partition by kind, actor_id order by seq desc) as n from journal) j
      left join ${ACTORS} a on a.kind = j.kind and a.id = j.actor_id
    where j.n = 1 and (j.to_state = 'deleted') <> (a.id is null)`,
  "a counter of states is not what counting gives": `
    select kind, state, sum(counted) as counted, sum(there) as there from
      (select kind, state, total as counted, 0 as there from state_counts union all select kind, mstate, 0, 1 from ${ACTORS} a) s
    group by kind, state having sum(counted) <> sum(there)`,
  "a chart failed": `select kind, id, fault_count from ${ACTORS} a where fault_count > 0`,
  "a timer without its actor": `
    select t.id from timers t left join ${ACTORS} a on a.kind = t.kind and a.id = t.actor_id where a.id is null`,
  "a deadline without its timer, or with a later one": `
    select a.kind, a.id, a.due_at, t.due_at as timer from ${ACTORS} a left join timers t on t.kind = a.kind and t.actor_id = a.id and t.name = 'due'
    where a.due_at is not null and (t.id is null or t.due_at > a.due_at)`,
  // A mark that usage set before a command settled the matter is overdue and goes when it is fired.
  "a timer of a deadline that there is not": `
    select t.id, t.due_at from timers t join ${ACTORS} a on a.kind = t.kind and a.id = t.actor_id
    where t.name = 'due' and a.due_at is null and t.due_at > {now}`,
  "a state without its timer": `
    select a.kind, a.id, a.mstate from ${ACTORS} a join (${armed}) s on s.kind = a.kind and s.state = a.mstate
    left join timers t on t.kind = a.kind and t.actor_id = a.id and t.name = s.timer where t.id is null`,
  "a timer fired in another state than its own": `
    select kind, actor_id, seq, event, from_state from journal
    where event like 'xstate.after.%' and event not like 'xstate.after.%.' || kind || '.' || from_state`,
  "a timer of another state": `
    select t.id, a.mstate from timers t join ${ACTORS} a on a.kind = t.kind and a.id = t.actor_id
    left join (${armed}) s on s.kind = a.kind and s.state = a.mstate and s.timer = t.name where t.name <> 'due' and s.timer is null`,
  "an effect of charts that have none": `select id from effects`,
  "a user without counters, or the reverse": `
    select u.id from users u left join user_usage g on g.id = u.id where g.id is null
    union all select g.id from user_usage g left join users u on u.id = g.id where u.id is null`,
  "a user without its searched text, or the reverse": `
    select u.id from users u left join user_text_queue w on w.id = u.id left join user_texts t on t.id = u.id
    where coalesce(w.text, t.text, '') not like lower(u.name) || '%'
    union all select t.id from user_texts t left join users u on u.id = t.id left join user_text_queue w on w.id = t.id
    where u.id is null and coalesce(w.text, '-') <> ''
    union all select w.id from user_text_queue w left join users u on u.id = w.id where u.id is null and w.text <> ''`,
  "a node without counters, or the reverse": `
    select n.id from nodes n left join node_usage g on g.id = n.id where g.id is null
    union all select g.id from node_usage g left join nodes n on n.id = g.id where n.id is null`,
  "a ledger's cursor of no node": `select c.id from usage_cursors c left join nodes n on n.id = c.node_id where n.id is null`,
  // The count of a reseller that is gone is the record of accounts that are still to be given away.
  "an owner's count is not the number of its users": `
    select o.id, o.users from owner_counts o join admins a on a.id = o.id where o.users <> (select count(*) from users u where u.admin_id = o.id)
    union all select u.admin_id, count(*) from users u left join owner_counts o on o.id = u.admin_id where u.admin_id <> 0 and o.id is null group by u.admin_id`,
  "an account's count is not the number of its jobs that are not over": `
    select c.id, c.unfinished from job_counts c
    where c.unfinished <> (select count(*) from jobs j where j.admin_id = c.id and j.finished_at = 0)`,
  "a user's end and beginning were not said once each": `
    select j.actor_id, j.event from journal j left join events e on e.subject = 'user:' || j.actor_id and e.event = 'user.' || j.event
    where j.kind = 'user' and j.event in ('created', 'deleted') group by j.actor_id, j.event having count(e.id) <> 1`,
  "a user that was switched off was not said to be": `
    select j.actor_id, j.n, coalesce(e.n, 0) as said from
      (select actor_id, count(*) as n from journal where kind = 'user' and to_state in ('disabled.volume', 'disabled.expiry')
        and (coalesce(from_state, '') not in ('disabled.volume', 'disabled.expiry') or event in ('switchOn', 'renewed')) group by actor_id) j
      left join (select subject, count(*) as n from events where event = 'user.disabled' group by subject) e on e.subject = 'user:' || j.actor_id
    where j.n <> coalesce(e.n, 0)`,
  "a node's connection was not said once": `
    select j.actor_id, j.n, coalesce(e.n, 0) as said from
      (select actor_id, count(*) as n from journal where kind = 'node' and to_state = 'linked.connected' and from_state <> 'linked.connected' group by actor_id) j
      left join (select subject, count(*) as n from events where event = 'node.connected' group by subject) e on e.subject = 'node:' || j.actor_id
    where j.n <> coalesce(e.n, 0)`,
  // One of a webhook that is gone may be left by an event of the same moment; it goes with its event's retention.
  "a delivery of no event": `
    select d.id from deliveries d left join events e on e.id = d.event_id where e.id is null`,
  "an event was recorded twice for a webhook": `
    select subscriber_id, event_id from deliveries group by subscriber_id, event_id having count(*) > 1`,
  "a webhook without its queue, or the reverse": `
    select w.id from webhooks w left join delivery_queues q on q.subscriber_id = w.id where q.subscriber_id is null
    union all select q.subscriber_id from delivery_queues q left join webhooks w on w.id = q.subscriber_id where w.id is null`,
  "an outbound without its tag, or the reverse": `
    select o.tag from outbounds o left join exit_tags t on t.id = o.tag and t.owner = 'outbound:' || o.id where t.id is null
    union all select t.id from exit_tags t left join outbounds o on t.owner = 'outbound:' || o.id where o.id is null`,
  "an id past its reserved block": NUMBERED.map(
    (
      table,
    ) => `select '${table}' as name, m.id from (select max(id) as id from ${table}) m left join id_blocks b on b.name = '${table}'
      where m.id is not null and (b.next is null or m.id >= b.next)`,
  ).join(" union all "),
};

/** Throws, naming the rule and the first rows that break it. `hook`: the webhook that hears everything. */
export async function checkRules(query: Query, hook: number): Promise<void> {
  const unheard = `
    select e.id, e.event from events e left join deliveries d on d.event_id = e.id and d.subscriber_id = ${hook}
    where e.event <> 'panel.ping' and e.time > (select created_at from webhooks where id = ${hook}) group by e.id, e.event having count(d.id) <> 1`;
  for (const [rule, text] of [
    ...Object.entries(RULES),
    ["an event was not recorded once for who hears everything", unheard] as const,
  ]) {
    const rows = await query(text.replace("{now}", String(Date.now())));
    if (rows.length > 0) throw new Error(`${rule}: ${JSON.stringify(rows.slice(0, 5))} (${rows.length})`);
  }
  await checkLists(query);
}

interface Carrier {
  readonly id: number;
  readonly template_ids?: unknown;
  readonly inbound_ids?: unknown;
  readonly outbound_ids?: unknown;
  readonly front_ids?: unknown;
}

/** Both sides of every list, and no list names what there is not. */
async function checkLists(query: Query): Promise<void> {
  const templates = await query<Carrier>("select id, inbound_ids, outbound_ids from templates");
  for (const table of ["inbound", "outbound"] as const) {
    const members = await query<Carrier>(`select id, template_ids from ${table}s`);
    const carried = templates.flatMap((template) => ids(template[`${table}_ids`]).map((id) => `${template.id} ${id}`));
    const carrying = members.flatMap((member) => ids(member.template_ids).map((id) => `${id} ${member.id}`));
    const [ours, theirs] = [new Set(carried), new Set(carrying)];
    const differing = [...carried.filter((pair) => !theirs.has(pair)), ...carrying.filter((pair) => !ours.has(pair))];
    if (differing.length > 0)
      throw new Error(`templates and ${table}s differ (template ${table}): ${differing.slice(0, 5).join(", ")}`);
  }
  const fronts = await query<Carrier>("select id, inbound_ids from fronts");
  const fronted = await query<Carrier>("select id, front_ids from inbounds");
  const ours = fronts.flatMap((front) => ids(front.inbound_ids).map((id) => `${front.id} ${id}`));
  const theirs = fronted.flatMap((inbound) => ids(inbound.front_ids).map((id) => `${id} ${inbound.id}`));
  if (!isDeepStrictEqual(ours.toSorted(), theirs.toSorted()))
    throw new Error(`fronts and inbounds differ (front inbound): ${ours.join(", ")}; ${theirs.join(", ")}`);
  const departing = await query<{ id: number }>("select id from template_departures");
  const there = new Set([...templates, ...departing].map(({ id }) => id));
  for (const user of await query<Carrier>("select id, template_ids from users")) {
    const lost = ids(user.template_ids).find((id) => !there.has(id));
    if (lost !== undefined)
      throw new Error(`user ${user.id} names template ${lost}, which is gone without a departure`);
  }
}

function ids(value: unknown): number[] {
  return (typeof value === "string" ? JSON.parse(value) : value) as number[];
}
