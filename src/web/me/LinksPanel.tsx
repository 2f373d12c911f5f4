// Identities of providers that sign in as this account: linking leads through the provider, with the password shown
// first.
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useSearch } from "wouter";
import { useApi, useApiMutation } from "../api/queries.ts";
import { Ago } from "../parts/Ago.tsx";
import { Answer } from "../parts/Answer.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useSignInRefusal } from "../session/refusals.ts";
import { sayDone } from "../browser/toasts.tsx";
import { Password } from "../parts/form/Password.tsx";
import { useWords } from "../words/words.ts";
import classes from "./me.module.css";

interface Provider {
  readonly id: number;
  readonly name: string;
}

interface Link {
  readonly id: number;
  readonly provider: number;
  readonly providerName: string;
  readonly subject: string;
  readonly email: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

const LANDED = ["linked", "link-taken", "link-error"] as const;

export function LinksPanel() {
  const { links: words } = useWords("me");
  const outcome = new URLSearchParams(useSearch()).get("sso");
  const landed = LANDED.find((each) => each === outcome);
  const links = useApi<readonly Link[]>("/me/oidc");
  const providers = useApi<readonly Provider[]>("/login/oidc");
  const [linking, setLinking] = useState<Provider>();
  const [unlinking, setUnlinking] = useState<Link>();
  const unlink = useApiMutation<unknown, number>((id) => ({ method: "DELETE", path: `/me/oidc/links/${String(id)}` }), {
    refreshes: ["/me/oidc"],
    onDone: () => sayDone(words.unlinked),
  });
  const offered = providers.data ?? [];
  if (landed === undefined && links.data?.length === 0 && providers.data?.length === 0) return null;
  return (
    <Panel title={words.title}>
      <p className={classes["note"]}>{words.note}</p>
      {landed === undefined ? null : (
        <Alert color={landed === "linked" ? "green" : "yellow"} variant="light" role="status" mb="sm" p="sm">
          {words.landed[landed]}
        </Alert>
      )}
      <Answer
        of={links}
        empty={(listed) => listed.length === 0}
        whenEmpty={
          <Text size="sm" c="dimmed">
            {words.none}
          </Text>
        }
      >
        {(listed) => (
          <ul className={classes["sessions"]}>
            {listed.map((link) => (
              <li key={link.id} className={classes["session"]}>
                <div className={classes["sessionText"]}>
                  <div className={classes["sessionName"]}>
                    <Name>{link.providerName}</Name>
                  </div>
                  <div className={classes["sessionFacts"]}>
                    <span>
                      <bdi>{link.email === "" ? link.subject : link.email}</bdi>
                    </span>
                    <span>
                      {words.used}: <Ago at={link.lastUsedAt} none={words.never} />
                    </span>
                  </div>
                </div>
                <Button size="xs" variant="default" onClick={() => setUnlinking(link)}>
                  {words.unlink}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Answer>
      <Group gap="xs" mt="sm">
        {offered.map((provider) => (
          <Button key={provider.id} variant="default" onClick={() => setLinking(provider)}>
            <bdi>{words.link(provider.name)}</bdi>
          </Button>
        ))}
      </Group>
      {linking ? <LinkDialog provider={linking} onClose={() => setLinking(undefined)} /> : null}
      <ConfirmDialog
        opened={unlinking !== undefined}
        onClose={() => setUnlinking(undefined)}
        title={words.unlinkTitle(unlinking?.providerName ?? "")}
        consequence={words.unlinkText}
        confirm={words.unlink}
        danger
        run={() => unlink.mutateAsync(unlinking?.id ?? 0)}
      />
    </Panel>
  );
}

function LinkDialog({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const { links: words, password: passwords } = useWords("me");
  const shell = useWords("shell");
  const [password, setPassword] = useState("");
  const start = useApiMutation<{ url: string }>(
    () => ({
      method: "POST",
      path: "/me/oidc/link",
      body: { provider: provider.id, redirectUri: new URL("api/login/oidc/callback", document.baseURI).href, password },
    }),
    { onDone: ({ url }) => location.assign(url) },
  );
  const text = useSignInRefusal(start.error ?? undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{words.link(provider.name)}</Text>}
      closeButtonProps={{ "aria-label": shell.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{words.linkText}</Text>
          <Password
            label={words.password}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={start.error?.code === "wrong_password" ? passwords.wrong : text}
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={start.isPending}>
              {words.goOn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
