// A new sign-in provider; its page, with the test, follows.
import { Button } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { call } from "../api/call.ts";
import classes from "../parts/record-page.module.css";
import { useRecordForm } from "../parts/form/record-form.ts";
import { PageHead } from "../parts/Record.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { PROVIDERS, type Provider, type ProviderBody } from "./provider.ts";
import { NEW_PROVIDER, ProviderForm } from "./ProviderForm.tsx";

export default function NewProviderPage() {
  const { providers: words } = useWords("access");
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  const settle = useSettle(PROVIDERS);
  usePageTitle(words.add);
  const form = useRecordForm<ProviderBody, Provider>({
    draft: "providers/new",
    initial: NEW_PROVIDER,
    secrets: ["clientSecret"],
    save: (changed) => call("POST", "/oidc-providers", { body: { name: "", kind: "oidc", clientId: "", ...changed } }),
    onDone(provider) {
      settle(provider, { record: provider, said: words.made(provider.name) });
      navigate(`/providers/${provider.id}`);
    },
  });
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.add} back={{ href: "/providers", label: words.title }} />
      <ProviderForm
        form={form}
        more={
          <Button variant="default" component={Link} href="/providers">
            {parts.cancel}
          </Button>
        }
      />
    </div>
  );
}
