// Columns of the users' list.
import { useFormat } from "../format/use-format.ts";
import { Ago, Moment } from "../parts/Ago.tsx";
import { CopyButton } from "../parts/CopyButton.tsx";
import { IconButton } from "../parts/controls/IconButton.tsx";
import { RowIcon } from "../parts/controls/RowIcon.tsx";
import { Dim, Name } from "../parts/Names.tsx";
import { Bytes, QuotaBar } from "../parts/Quantities.tsx";
import type { Column } from "../parts/table/columns.ts";
import { isoOf } from "../parts/table/export.ts";
import type { Verbs } from "../parts/use-verbs.tsx";
import { RowTraffic } from "../traffic/RowTraffic.tsx";
import { useWords } from "../words/words.ts";
import { StandingCell } from "./UserStanding.tsx";
import type { User } from "./user.ts";
import { UserToggle } from "./UserSwitch.tsx";
import classes from "./users.module.css";
import { useTemplates } from "../plans/use-templates.ts";

export function useUserColumns(verbs: Verbs<User>, writable: boolean): readonly Column<User>[] {
  const words = useWords("users");
  const parts = useWords("parts");
  const { nameOf } = useTemplates();
  const { columns } = words;
  return [
    {
      id: "name",
      header: columns.name,
      sort: "name",
      card: "title",
      text: (user) => user.name,
      cell: (user) => <Named user={user} />,
    },
    { id: "status", header: columns.status, card: "corner", width: 190, cell: (user) => <StandingCell user={user} /> },
    {
      id: "usage",
      text: (user) => user.up + user.down,
      header: columns.usage,
      sort: "usage",
      width: 170,
      card: "bare",
      cell: (user) => <QuotaBar used={user.up + user.down} limit={user.volume} />,
    },
    {
      id: "lastDay",
      header: parts.lastDay.header,
      width: 108,
      above: 1300,
      card: "none",
      cell: (user) => <RowTraffic path="/users/sparklines" id={user.id} />,
    },
    {
      id: "expiry",
      text: (user) => isoOf(user.expiry),
      header: columns.expiry,
      sort: "expiry",
      width: 128,
      card: "under",
      cell: (user) => <Ends user={user} />,
    },
    {
      id: "onlineAt",
      text: (user) => isoOf(user.onlineAt),
      header: columns.onlineAt,
      sort: "online_at",
      width: 118,
      above: 1100,
      card: "under",
      cell: (user) => <Ago at={user.onlineAt} style="short" />,
    },
    {
      id: "group",
      text: (user) => user.group,
      header: columns.group,
      width: 96,
      above: 1400,
      card: "none",
      cell: (user) => <Name>{user.group}</Name>,
    },
    {
      id: "templates",
      header: columns.templates,
      optional: true,
      card: "none",
      cell: (user) =>
        user.allTemplates ? <Dim>{words.allTemplates}</Dim> : <Name>{user.templateIds.map(nameOf).join(", ")}</Name>,
    },
    {
      id: "note",
      text: (user) => user.desc,
      header: columns.note,
      optional: true,
      card: "none",
      cell: (user) => <span className={classes["cut"]}>{user.desc}</span>,
    },
    {
      id: "totals",
      text: (user) => user.totalUp + user.totalDown,
      header: columns.totals,
      optional: true,
      card: "none",
      align: "end",
      cell: (user) => <Bytes value={user.totalUp + user.totalDown} />,
    },
    {
      id: "fetched",
      header: columns.fetched,
      sort: "sub_fetched_at",
      optional: true,
      card: "none",
      cell: (user) => <Ago at={user.subFetchedAt} />,
    },
    {
      id: "client",
      header: columns.client,
      optional: true,
      card: "none",
      cell: (user) => <span className={classes["cut"]}>{user.subClient}</span>,
    },
    {
      id: "inbound",
      header: columns.inbound,
      optional: true,
      card: "none",
      cell: (user) => <bdi dir="ltr">{user.lastInbound}</bdi>,
    },
    {
      id: "address",
      header: columns.address,
      optional: true,
      card: "none",
      cell: (user) => <bdi dir="ltr">{user.subFetchIp}</bdi>,
    },
    {
      id: "created",
      text: (user) => isoOf(user.createdAt),
      header: columns.created,
      sort: "created_at",
      optional: true,
      card: "none",
      cell: (user) => <Moment at={user.createdAt} style="date" />,
    },
    {
      id: "link",
      text: (user) => user.subUrl,
      header: columns.link,
      width: 76,
      card: "foot",
      cell: (user) => (
        <span className={classes["beside"]}>
          <CopyButton value={user.subUrl} label={words.copyLink} />
          <IconButton
            title={words.showQr}
            aria-label={`${words.showQr}: ${user.name}`}
            onClick={() => verbs.run(user, "qr")}
          >
            <RowIcon shape="code" size={15} />
          </IconButton>
        </span>
      ),
    },
    {
      id: "enable",
      text: (user) => user.enable,
      header: columns.enable,
      width: 60,
      card: "none",
      cell: (user) => <UserToggle user={user} verbs={verbs} disabled={!writable} />,
    },
  ];
}

function Named({ user }: { readonly user: User }) {
  return (
    <span className={classes["named"]}>
      <Name>{user.name}</Name>
      {user.desc === "" ? null : <bdi className={classes["note"]}>{user.desc}</bdi>}
    </span>
  );
}

/** When the account ends: distance, date on hover; a plan that has not begun says its length. */
export function Ends({ user }: { readonly user: User }) {
  const words = useWords("users");
  const format = useFormat();
  if (user.duration > 0 && user.activatedAt === 0) return <Dim>{words.fromFirst(format.duration(user.duration))}</Dim>;
  return <Ago at={user.expiry} none={words.neverEnds} />;
}
