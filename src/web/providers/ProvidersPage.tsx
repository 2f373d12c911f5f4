// Sign-in providers: where operators may have their account instead of a password here.
import { Switch } from "@mantine/core";
import { Code, Name } from "../parts/Names.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useWords } from "../words/words.ts";
import { KINDS, type Provider } from "./provider.ts";
import { useProviderVerbs } from "./use-provider-verbs.tsx";

const DEFAULTS = { sort: "sort_order", order: "asc" } as const;

export default function ProvidersPage() {
  const { providers: words, name: nameWord } = useWords("access");
  const verbs = useProviderVerbs();
  return (
    <ListPage<Provider>
      id="providers"
      title={words.title}
      path="/oidc-providers"
      query={useListQuery(DEFAULTS)}
      count={words.count}
      create={{ href: "/providers/new", label: words.add }}
      columns={[
        {
          id: "name",
          header: nameWord,
          sort: "name",
          card: "title",
          text: ({ name }) => name,
          cell: ({ name }) => <Name>{name}</Name>,
        },
        { id: "kind", header: words.kind, width: 150, text: ({ kind }) => kind, cell: ({ kind }) => KINDS[kind] },
        {
          id: "address",
          header: words.address,
          card: "bare",
          text: addressOf,
          cell: (provider) => <Code cut>{addressOf(provider)}</Code>,
        },
        {
          id: "secret",
          header: words.secret,
          width: 110,
          cell: ({ clientSecretSet }) => (clientSecretSet ? words.secretSet : words.secretNone),
        },
        {
          id: "enabled",
          header: words.enabled,
          width: 70,
          card: "corner",
          text: ({ enabled }) => enabled,
          cell: (provider) => (
            <Switch
              aria-label={`${words.enabled}: ${provider.name}`}
              checked={provider.enabled}
              disabled={verbs.busy(provider)}
              onChange={() => verbs.run(provider, "switch")}
            />
          ),
        },
      ]}
      rowLabel={({ name }) => name}
      href={({ id }) => `/providers/${id}`}
      verbs={verbs}
      dimmed={({ enabled }) => !enabled}
      search={words.search}
      empty={{ title: words.noneTitle, text: words.noneText }}
    />
  );
}

function addressOf({ kind, issuer, authorizationUrl }: Provider): string {
  return kind === "oidc" ? issuer : authorizationUrl;
}
