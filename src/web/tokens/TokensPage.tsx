// API tokens: what each may, on whose behalf, when it was last used and from where, and the way to end it.
import { Modal, Text } from "@mantine/core";
import { IconListCheck, IconTrash } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { panelNow } from "../parts/now.ts";
import { ToneBadge } from "../parts/StateBadge.tsx";
import type { Column } from "../parts/table/columns.ts";
import { isoOf } from "../parts/table/export.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import { useVerbs, type Verb } from "../parts/use-verbs.tsx";
import { ScopeMatrix } from "../roles/ScopeMatrix.tsx";
import { useWords } from "../words/words.ts";
import { tokenName, TOKENS, type Token } from "./token.ts";

const DEFAULTS = {};
/** So that a last use is seen. */
const REFRESH_MS = 30_000;

export default function TokensPage() {
  const { tokens: words } = useWords("access");
  return (
    <ListPage<Token>
      id="tokens"
      title={words.title}
      path="/tokens"
      query={useListQuery(DEFAULTS)}
      count={words.count}
      create={{ href: "/tokens/new", label: words.add }}
      columns={useTokenColumns()}
      rowLabel={(token) => tokenName(token, words.unnamed)}
      verbs={useTokenVerbs()}
      dimmed={({ expired }) => expired}
      search={words.search}
      empty={{ title: words.noneTitle, text: words.noneText }}
      every={REFRESH_MS}
    />
  );
}

function useTokenVerbs() {
  const words = useWords("access");
  const parts = useWords("parts");
  const { tokens } = words;
  const format = useFormat();
  const verbs = (token: Token): readonly Verb<Token>[] => {
    const name = tokenName(token, tokens.unnamed);
    const used = token.lastUsedAt > 0 ? format.relative(token.lastUsedAt - panelNow()) : tokens.unused;
    return [
      {
        id: "scopes",
        label: words.scopes.title,
        key: "s",
        icon: <IconListCheck size={15} aria-hidden />,
        dialog: ({ close }) => (
          <Modal
            opened
            onClose={close}
            size="lg"
            title={<Text fw={600}>{tokens.scopesOf(name)}</Text>}
            closeButtonProps={{ "aria-label": parts.close }}
          >
            {token.scopes.length === 0 ? (
              <Text size="sm">{words.scopes.every}</Text>
            ) : (
              <ScopeMatrix granted={token.scopes} />
            )}
          </Modal>
        ),
      },
      {
        id: "revoke",
        label: tokens.revoke,
        icon: <IconTrash size={15} aria-hidden />,
        danger: true,
        ...(token.managedBy === undefined ? {} : { disabled: tokens.managed(token.managedBy) }),
        confirm: { title: tokens.revokeTitle(name), text: tokens.revokeText(used) },
        act: async () => {
          await call("DELETE", `/tokens/${token.id}`);
          return { gone: true, said: tokens.revoked(name) };
        },
      },
    ];
  };
  return useVerbs(TOKENS, { verbs });
}

function useTokenColumns(): readonly Column<Token>[] {
  const words = useWords("access");
  const { tokens } = words;
  const format = useFormat();
  return [
    {
      id: "desc",
      header: tokens.desc,
      card: "title",
      text: ({ desc }) => desc,
      cell: (token) => (token.desc === "" ? <Dim>{tokens.unnamed}</Dim> : <Name>{token.desc}</Name>),
    },
    {
      id: "acts",
      header: tokens.acts,
      width: 170,
      text: ({ adminName }) => adminName,
      cell: ({ adminName }) => <Name>{adminName}</Name>,
    },
    {
      id: "scopes",
      header: words.scopes.title,
      width: 190,
      text: ({ scopes }) => scopes.join(" "),
      cell: ({ scopes }) =>
        scopes.length === 0 ? words.scopes.every : words.scopes.chosen(scopes.length, format.number(scopes.length)),
    },
    {
      id: "used",
      header: tokens.lastUse,
      width: 220,
      text: ({ lastUsedAt }) => isoOf(lastUsedAt),
      cell: ({ lastUsedAt, lastUsedIp }) => (
        <>
          <Ago at={lastUsedAt} none={tokens.unused} style="short" />{" "}
          {lastUsedIp === "" ? null : <Code>{lastUsedIp}</Code>}
        </>
      ),
    },
    {
      id: "budget",
      header: tokens.budget,
      align: "end",
      width: 150,
      above: 1100,
      text: ({ rateLimit }) => rateLimit,
      cell: ({ rateLimit }) => (rateLimit === 0 ? <Dim>{tokens.usual}</Dim> : format.number(rateLimit)),
    },
    {
      id: "expiry",
      header: tokens.expires,
      width: 140,
      text: ({ expiry }) => isoOf(expiry),
      cell: ({ expiry, expired }) =>
        expired ? (
          <ToneBadge tone="failed">{tokens.expired}</ToneBadge>
        ) : (
          <Ago at={expiry} none={words.never} style="short" />
        ),
    },
    {
      id: "created",
      header: words.created,
      optional: true,
      card: "none",
      text: ({ createdAt }) => isoOf(createdAt),
      cell: ({ createdAt }) => <Ago at={createdAt} />,
    },
  ];
}
