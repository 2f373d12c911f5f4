// Where the account is connected from and through, as the nodes say it now.
import { Button, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Answer, Empty } from "../parts/Answer.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Code, Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import classes from "./users.module.css";

/** As `GET /users/{id}/addresses` and `/connections` answer. */
interface AddressRow {
  readonly address: string;
  readonly nodeId: number;
  readonly node: string;
  readonly inbound: string;
  readonly lastSeenAt: number;
}
interface SessionRow {
  readonly nodeId: number;
  readonly node: string;
  readonly inbound: string;
  readonly sessions: number;
}
interface Closed {
  readonly results: readonly { readonly closed: number }[];
}

const REFRESH_MS = 10_000;

export default function ConnectionsTab({ user, writes }: { readonly user: User; readonly writes: boolean }) {
  const words = useWords("users");
  const format = useFormat();
  const queries = useQueryClient();
  const [closing, setClosing] = useState(false);
  const path = `/users/${user.id}`;
  const addresses = useApi<readonly AddressRow[]>(`${path}/addresses`, {}, { refetchInterval: REFRESH_MS });
  const sessions = useApi<readonly SessionRow[]>(`${path}/connections`, {}, { refetchInterval: REFRESH_MS });
  const open = sessions.data?.reduce((sum, row) => sum + row.sessions, 0) ?? 0;
  const close = async () => {
    const { results } = await call<Closed>("POST", `${path}/connections/close`, { body: {} });
    sayDone(words.closed(results.reduce((sum, { closed }) => sum + closed, 0)));
    await queries.invalidateQueries({ queryKey: [`${path}/connections`] });
  };
  return (
    <Stack className={classes["narrow"]}>
      <Panel
        title={words.sessionsTitle}
        actions={
          writes && open > 0 ? (
            <Button size="xs" variant="default" onClick={() => setClosing(true)}>
              {words.closeAll}
            </Button>
          ) : undefined
        }
      >
        <Answer of={sessions} empty={(rows) => rows.length === 0} whenEmpty={<Empty small title={words.noSessions} />}>
          {(rows) => (
            <Table
              heads={[words.node, words.inbound, words.sessionsTitle]}
              rows={rows}
              keyOf={(row) => `${row.nodeId} ${row.inbound}`}
              cells={(row) => [...passed(row), format.number(row.sessions)]}
            />
          )}
        </Answer>
      </Panel>
      <Panel title={words.addressesTitle}>
        <Answer
          of={addresses}
          empty={(rows) => rows.length === 0}
          whenEmpty={<Empty small title={words.noAddresses} />}
        >
          {(rows) => (
            <Table
              heads={[words.address, words.node, words.inbound, words.seen]}
              rows={rows}
              keyOf={(row) => `${row.address} ${row.nodeId} ${row.inbound}`}
              cells={(row) => [
                <Code key="address" copy>
                  {row.address}
                </Code>,
                ...passed(row),
                <Ago key="seen" at={row.lastSeenAt} />,
              ]}
            />
          )}
        </Answer>
      </Panel>
      <ConfirmDialog
        opened={closing}
        onClose={() => setClosing(false)}
        title={words.closeTitle(user.name)}
        consequence={
          <>
            {words.sessions(open, format.number(open))}. {words.closeText}
          </>
        }
        confirm={words.closeAll}
        run={close}
      />
    </Stack>
  );
}

interface TableProps<T> {
  readonly heads: readonly string[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** In the order of the heads. */
  readonly cells: (row: T) => readonly ReactNode[];
}

function Table<T>({ heads, rows, keyOf, cells }: TableProps<T>) {
  return (
    <table className={classes["table"]}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {cells(row).map((cell, place) => (
              <td key={heads[place]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The cells of the node and the inbound that a connection goes through. */
function passed({ nodeId, node, inbound }: SessionRow | AddressRow): readonly ReactNode[] {
  return [<NodeName key="node" id={nodeId} name={node} />, <Code key="inbound">{inbound}</Code>];
}

function NodeName({ id, name }: { readonly id: number; readonly name: string }) {
  const can = useCan();
  return can("nodes:read") ? (
    <Link href={`/nodes/${id}`}>
      <Name>{name}</Name>
    </Link>
  ) : (
    <Name>{name}</Name>
  );
}
