// A new API token: for which program, on whose behalf, and what it may. The token itself is shown once.
import { Button, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import type { Admin } from "../admins/admin.ts";
import classes from "../parts/record-page.module.css";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import { useRecordForm, type RecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { PageHead, Panel } from "../parts/Record.tsx";
import { showOnce } from "../parts/secrets.ts";
import { useSettle } from "../parts/use-verbs.tsx";
import { ScopeMatrix } from "../roles/ScopeMatrix.tsx";
import { useCan, useMe } from "../session/me.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { tokenName, TOKENS, type MadeToken, type TokenBody } from "./token.ts";

/** `some`: only the named permissions; a part of the form alone. */
const NEW: Values = { desc: "", adminId: 0, expiry: 0, rateLimit: 0, scopes: [], some: true };
const MOST = { limit: 1000 };

export default function NewTokenPage() {
  const {
    tokens: words,
    scopes: { title: permissions },
  } = useWords("access");
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  const settle = useSettle(TOKENS);
  usePageTitle(words.add);
  const form = useRecordForm<TokenBody & { some: boolean }, MadeToken>({
    draft: "tokens/new",
    initial: NEW,
    save: ({ some, ...changed }) => {
      const scopes = some === false ? [] : (changed.scopes ?? []);
      return call("POST", "/tokens", { body: { ...changed, scopes } });
    },
    onDone(made) {
      settle(made, { said: words.made });
      navigate("/tokens");
      const title = words.madeTitle(tokenName(made, words.unnamed));
      void showOnce({ title, text: words.madeText, values: [made.token] });
    },
  });
  // To the route no permission means all of them: then nothing is sent.
  const granted = form.values["scopes"];
  const missing = form.values["some"] !== false && !(Array.isArray(granted) && granted.length > 0);
  const [asked, setAsked] = useState(false);
  const asking: RecordForm = {
    ...form,
    save: async () => {
      setAsked(true);
      return missing ? false : form.save();
    },
  };
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.add} back={{ href: "/tokens", label: words.title }} />
      <SchemaForm
        form={asking}
        groups={useTokenGroups()}
        fresh
        submit={words.submit}
        focus="desc"
        more={
          <Button variant="default" component={Link} href="/tokens">
            {parts.cancel}
          </Button>
        }
        rest={{
          label: (name) => (name === "scopes" ? permissions : undefined),
          show: () => <Permissions form={form} missing={missing} asked={asked} />,
        }}
      />
    </div>
  );
}

function useTokenGroups(): readonly FieldGroup<TokenBody>[] {
  const words = useWords("access");
  const { tokens } = words;
  const can = useCan();
  const me = useMe();
  const { data } = useApi<Listing<Admin>>("/admins", MOST, { enabled: can("admins:write") });
  const others = data?.items.filter(({ id }) => id !== me.id) ?? [];
  return [
    {
      title: tokens.add,
      fields: [
        { name: "desc", kind: "text", label: tokens.desc, help: tokens.descHelp },
        {
          name: "adminId",
          kind: "choice",
          label: tokens.acts,
          help: tokens.actsHelp,
          choices: [
            { value: 0, label: me.username },
            ...others.map(({ id, username }) => ({ value: id, label: username })),
          ],
        },
        { name: "expiry", kind: "date", label: tokens.expires, help: tokens.expiryHelp, zero: words.never },
        { name: "rateLimit", kind: "number", label: tokens.budget, help: tokens.budgetHelp, zero: tokens.usual },
      ],
    },
  ];
}

interface PermissionsProps {
  readonly form: RecordForm;
  readonly missing: boolean;
  /** Somebody tried to save. */
  readonly asked: boolean;
}

function Permissions({ form, missing, asked }: PermissionsProps) {
  const { tokens: words, scopes } = useWords("access");
  const granted = form.values["scopes"];
  const some = form.values["some"] !== false;
  const problem = missing ? scopes.atLeastOne : form.problems["scopes"];
  return (
    <Panel title={scopes.title}>
      <Stack gap="sm">
        <Radio.Group
          aria-label={scopes.title}
          value={some ? "some" : "all"}
          onChange={(value) => form.set("some", value === "some")}
        >
          <Stack gap="xs">
            <Radio value="some" label={words.some} />
            <Radio value="all" label={words.whole} description={words.wholeText} />
          </Stack>
        </Radio.Group>
        {problem === undefined ? null : (
          <Text size="sm" c={missing && !asked ? "dimmed" : "var(--tone-failed)"} role="status">
            {problem}
          </Text>
        )}
        {some ? (
          <ScopeMatrix
            granted={Array.isArray(granted) ? granted.map(String) : []}
            onChange={(next) => form.set("scopes", next)}
          />
        ) : null}
      </Stack>
    </Panel>
  );
}
