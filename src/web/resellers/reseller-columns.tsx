// Columns of the resellers' list.
import { Ago, Moment } from "../parts/Ago.tsx";
import { Dim, Name } from "../parts/Names.tsx";
import { CountBar, QuotaBar } from "../parts/Quantities.tsx";
import type { Column } from "../parts/table/columns.ts";
import { isoOf } from "../parts/table/export.ts";
import type { Admin } from "../admins/admin.ts";
import { periodOf } from "../admins/allowance.ts";
import { useWords } from "../words/words.ts";
import { chartState, ResellerState } from "./ResellerState.tsx";

export function useResellerColumns(): readonly Column<Admin>[] {
  const words = useWords("resellers");
  const { admins, never } = useWords("access");
  const { columns } = words;
  return [
    {
      id: "username",
      header: columns.name,
      sort: "username",
      card: "title",
      text: ({ username }) => username,
      cell: ({ username }) => <Name>{username}</Name>,
    },
    {
      id: "state",
      header: columns.state,
      width: 170,
      card: "corner",
      text: chartState,
      cell: (admin) => <ResellerState admin={admin} />,
    },
    {
      id: "allowance",
      header: columns.allowance,
      sort: "volume",
      width: 210,
      card: "bare",
      text: ({ used }) => used,
      cell: ({ used, volume }) => <QuotaBar used={used} limit={volume} />,
    },
    {
      id: "users",
      header: columns.users,
      width: 110,
      text: ({ users }) => users,
      cell: ({ users, userLimit }) => <CountBar label={columns.users} used={users} limit={userLimit} compact />,
    },
    {
      id: "nextReset",
      header: columns.nextReset,
      sort: "next_reset",
      width: 150,
      above: 1000,
      card: "under",
      text: ({ nextReset }) => isoOf(nextReset),
      cell: ({ nextReset }) => (nextReset > 0 ? <Moment at={nextReset} style="date" /> : <Dim>{never}</Dim>),
    },
    {
      id: "period",
      header: columns.period,
      optional: true,
      card: "none",
      text: ({ period }) => period,
      cell: ({ period }) => admins.periods[periodOf(period)],
    },
    {
      id: "expiry",
      header: columns.ends,
      sort: "expiry",
      width: 130,
      card: "under",
      text: ({ expiry }) => isoOf(expiry),
      cell: ({ expiry }) => <Ago at={expiry} none={never} />,
    },
    {
      id: "lastLogin",
      header: columns.lastLogin,
      width: 130,
      above: 1200,
      card: "none",
      text: ({ lastLoginAt }) => isoOf(lastLoginAt),
      cell: ({ lastLoginAt }) => <Ago at={lastLoginAt} style="short" none={never} />,
    },
  ];
}
