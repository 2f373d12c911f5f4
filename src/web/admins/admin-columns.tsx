// Columns of the operators' list.
import { Badge, Group } from "@mantine/core";
import { Ago, Moment } from "../parts/Ago.tsx";
import { useNow } from "../parts/now.ts";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { CountBar, QuotaBar } from "../parts/Quantities.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import type { Column } from "../parts/table/columns.ts";
import { isoOf } from "../parts/table/export.ts";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import type { Admin } from "./admin.ts";
import { closedBy } from "./allowance.ts";

export function useAdminColumns(): readonly Column<Admin>[] {
  const words = useWords("access");
  const { admins } = words;
  return [
    {
      id: "username",
      header: words.name,
      sort: "username",
      card: "title",
      text: ({ username }) => username,
      cell: (admin) => <Name>{admin.username}</Name>,
    },
    {
      id: "role",
      header: admins.role,
      card: "bare",
      text: ({ role }) => role,
      cell: (admin) => <RoleOf admin={admin} />,
    },
    {
      id: "twoFactor",
      header: admins.twoFactor,
      width: 130,
      card: "corner",
      text: ({ twoFactor }) => twoFactor,
      cell: ({ twoFactor }) => <SecondFactor on={twoFactor} />,
    },
    {
      id: "users",
      header: admins.users,
      width: 110,
      text: ({ users }) => users,
      cell: ({ users, userLimit }) => <CountBar label={admins.users} used={users} limit={userLimit} compact />,
    },
    {
      id: "allowance",
      header: admins.allowance,
      width: 170,
      above: 1000,
      text: ({ used }) => used,
      cell: (admin) => (admin.base === "resale" ? <AllowanceOf admin={admin} /> : <Dim>–</Dim>),
    },
    {
      id: "lastLogin",
      header: admins.lastLogin,
      width: 140,
      card: "under",
      text: ({ lastLoginAt }) => isoOf(lastLoginAt),
      cell: ({ lastLoginAt }) => <Ago at={lastLoginAt} style="short" />,
    },
    {
      id: "address",
      header: "IP",
      optional: true,
      card: "none",
      text: ({ lastLoginIp }) => lastLoginIp,
      cell: ({ lastLoginIp }) => <Code>{lastLoginIp}</Code>,
    },
    {
      id: "expiry",
      header: admins.expires,
      optional: true,
      card: "none",
      text: ({ expiry }) => isoOf(expiry),
      cell: ({ expiry }) => <Ago at={expiry} none={words.never} />,
    },
    {
      id: "created",
      header: words.created,
      sort: "created_at",
      optional: true,
      card: "none",
      text: ({ createdAt }) => isoOf(createdAt),
      cell: ({ createdAt }) => <Moment at={createdAt} style="date" />,
    },
  ];
}

/** What is used, and whether nobody serves its users. */
function AllowanceOf({ admin }: { readonly admin: Admin }) {
  const { admins } = useWords("access");
  const ended = closedBy(admin, useNow(60));
  return (
    <>
      <QuotaBar used={admin.used} limit={admin.volume} compact />
      {ended === undefined ? null : (
        <ToneBadge tone={ended === "expiry" ? "failed" : "waiting"}>{admins.closed.short}</ToneBadge>
      )}
    </>
  );
}

/** The role's name, and whether it is the owner or the reader. */
export function RoleOf({ admin }: { readonly admin: Pick<Admin, "id" | "role" | "base" | "owner"> }) {
  const { admins, tiers } = useWords("access");
  const me = useMe();
  return (
    <Group gap={6} wrap="wrap" component="span">
      {admin.role === admin.base ? tiers[admin.base] : <Name>{admin.role}</Name>}
      {admin.role === admin.base ? null : <Dim>{tiers[admin.base]}</Dim>}
      {admin.owner ? (
        <Badge size="sm" variant="light">
          {admins.owner}
        </Badge>
      ) : null}
      {admin.id === me.id ? (
        <Badge size="sm" variant="default">
          {admins.you}
        </Badge>
      ) : null}
    </Group>
  );
}

export function SecondFactor({ on }: { readonly on: boolean }) {
  const { admins } = useWords("access");
  return <ToneBadge tone={on ? "ok" : "off"}>{on ? admins.on : admins.off}</ToneBadge>;
}
