// The fronts of an inbound: which, and in which order clients get their entries.
import { ActionIcon, Button, Group, Select, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { Link } from "wouter";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { canBeFronted, FRONTS, FRONTS_AT_MOST, type Front } from "../../fronts/front.ts";
import { Answer } from "../../parts/Answer.tsx";
import { useRecordForm } from "../../parts/form/record-form.ts";
import { SchemaForm } from "../../parts/form/SchemaForm.tsx";
import { Code, Dim, Name } from "../../parts/Names.tsx";
import { moved, OrderedList } from "../../parts/order/OrderedList.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useSettle } from "../../parts/use-verbs.tsx";
import { useCan, useMayLeadClients } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { useAll } from "../../fragments/use-all.ts";
import classes from "../../fragments/fragments.module.css";
import { INBOUNDS, type Inbound } from "./inbounds.tsx";

export default function InboundFronts({ inbound }: { readonly inbound: Inbound }) {
  const fronts = useApi<readonly Front[]>(`/inbounds/${inbound.id}/fronts`);
  return <Answer of={fronts}>{(chosen) => <Chosen inbound={inbound} chosen={chosen} />}</Answer>;
}

const idsOf = (fronts: readonly Front[]): number[] => fronts.map(({ id }) => id);

function Chosen({ inbound, chosen }: { readonly inbound: Inbound; readonly chosen: readonly Front[] }) {
  const words = useWords("fronts");
  const settle = useSettle(INBOUNDS);
  const parts = useWords("parts");
  const writes = useCan()("pool:write");
  const leads = useMayLeadClients();
  const all = useAll(FRONTS);
  const form = useRecordForm<{ readonly order: string }, readonly Front[]>({
    draft: `inbounds/${inbound.id}/fronts`,
    // A text, since the order counts.
    initial: { order: idsOf(chosen).join() },
    save: ({ order = "" }) => call("PUT", `/inbounds/${inbound.id}/fronts`, { body: { frontIds: idsIn(order) } }),
    onDone: () => settle(inbound, { said: words.of.saved(inbound.tag) }),
  });
  const known = new Map([...chosen, ...(all ?? [])].map((front) => [front.id, front]));
  const ids = idsIn(String(form.values["order"]));
  const rows = ids.flatMap((id) => known.get(id) ?? []);
  const put = (next: readonly number[]) => form.set("order", next.join());
  const fits = canBeFronted(inbound);
  const content = (
    <Panel title={words.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {!fits
          ? rows.length === 0
            ? words.help.inboundIds
            : words.of.unfit
          : rows.length === 0
            ? words.of.none
            : inbound.frontedOnly && rows.some(({ enabled }) => enabled)
              ? words.of.alone
              : words.of.order}
      </Text>
      {writes ? (
        <OrderedList
          rows={rows}
          nameOf={({ name }) => name}
          words={words.of}
          onMove={(from, to) => put(moved(ids, from, to))}
        >
          {(front) => (
            <Group justify="space-between" wrap="nowrap" mih={36}>
              <Shown front={front} />
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={words.of.take(front.name)}
                onClick={() => put(ids.filter((each) => each !== front.id))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
          )}
        </OrderedList>
      ) : (
        <ol className={classes["plain"]}>
          {rows.map((front) => (
            <li key={front.id}>
              <Shown front={front} />
            </li>
          ))}
        </ol>
      )}
      {writes && fits && !leads ? (
        <Text size="sm" c="dimmed" mt="sm">
          {parts.leads}
        </Text>
      ) : null}
      {leads && fits ? (
        <Add
          inbound={inbound}
          others={(all ?? []).filter(({ id }) => !ids.includes(id))}
          full={ids.length >= FRONTS_AT_MOST}
          onAdd={(id) => put([...ids, id])}
        />
      ) : null}
    </Panel>
  );
  return (
    <div className={classes["narrow"]}>
      <SchemaForm form={form} groups={[]} rest={{ show: () => content, label: () => words.title }} />
    </div>
  );
}

function Shown({ front }: { readonly front: Front }) {
  const words = useWords("fronts");
  return (
    <span className={classes["shown"]}>
      <Link href={`/fronts/${front.id}`}>
        <Name>{front.name}</Name>
      </Link>
      <Code>{front.domain}</Code>
      {front.enabled ? null : <Dim>{words.states.off}</Dim>}
    </span>
  );
}

interface AddProps {
  readonly inbound: Inbound;
  readonly others: readonly Front[];
  readonly full: boolean;
  readonly onAdd: (id: number) => void;
}

function Add({ inbound, others, full, onAdd }: AddProps) {
  const words = useWords("fronts");
  const format = useFormat();
  if (full)
    return (
      <Text size="sm" mt="sm">
        {words.of.most(format.number(FRONTS_AT_MOST))}
      </Text>
    );
  return (
    <Group mt="sm" gap="sm" align="end">
      {others.length === 0 ? null : (
        <Select
          label={words.of.choose}
          data={others.map(({ id, name, domain }) => ({ value: String(id), label: `${name} · ${domain}` }))}
          value={null}
          searchable
          onChange={(id) => id !== null && onAdd(Number(id))}
        />
      )}
      <Button
        component={Link}
        href={`/fronts/new?inbound=${inbound.id}`}
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
      >
        {words.of.newOne}
      </Button>
    </Group>
  );
}

function idsIn(order: string): number[] {
  return order === "" ? [] : order.split(",").map(Number);
}
