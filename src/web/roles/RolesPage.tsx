// Roles: what each allows, and how many operators have it.
import { Badge, Group } from "@mantine/core";
import { useFormat } from "../format/use-format.ts";
import { Name } from "../parts/Names.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useWords } from "../words/words.ts";
import type { Role } from "./role.ts";
import { useRoleVerbs } from "./use-role-verbs.tsx";

const DEFAULTS = { sort: "id", order: "asc" } as const;

export default function RolesPage() {
  const words = useWords("access");
  const { roles } = words;
  const format = useFormat();
  return (
    <ListPage<Role>
      id="roles"
      title={roles.title}
      path="/roles"
      query={useListQuery(DEFAULTS)}
      count={roles.count}
      create={{ href: "/roles/new", label: roles.add }}
      columns={[
        {
          id: "name",
          header: words.name,
          sort: "name",
          card: "title",
          text: ({ name }) => name,
          cell: (role) => <RoleName role={role} />,
        },
        { id: "tier", header: roles.tier, width: 180, text: ({ base }) => base, cell: ({ base }) => words.tiers[base] },
        {
          id: "scopes",
          header: words.scopes.title,
          width: 150,
          text: ({ scopes }) => scopes.join(" "),
          cell: ({ scopes }) => words.scopes.chosen(scopes.length, format.number(scopes.length)),
        },
        {
          id: "holders",
          header: roles.holders,
          align: "end",
          width: 120,
          text: ({ admins }) => admins,
          cell: ({ admins }) => format.number(admins),
        },
        {
          id: "note",
          header: roles.note,
          above: 1000,
          card: "none",
          text: ({ description }) => description,
          cell: ({ description }) => <bdi>{description}</bdi>,
        },
      ]}
      rowLabel={({ name }) => name}
      href={({ id }) => `/roles/${id}`}
      verbs={useRoleVerbs()}
      search={roles.search}
      empty={{ title: roles.noneTitle, text: roles.noneText }}
    />
  );
}

function RoleName({ role }: { readonly role: Role }) {
  const { roles, tiers } = useWords("access");
  return (
    <Group gap={6} wrap="nowrap" component="span">
      {role.builtin ? tiers[role.base] : <Name>{role.name}</Name>}
      {role.builtin ? (
        <Badge size="sm" variant="default">
          {roles.builtin}
        </Badge>
      ) : null}
    </Group>
  );
}
