// One document in two views over the same draft: inputs, and its text. Which one is in the address (`as=json`).
import { Alert, Button, Group, SegmentedControl, Text } from "@mantine/core";
import { lazy, Suspense, type ReactNode } from "react";
import { useSearchParams } from "wouter";
import { useWords } from "../../words/words.ts";
import { LoadingLines } from "../Answer.tsx";
import { isJson } from "../schema/schema.ts";
import type { DocumentForm } from "./document-form.ts";
import { SchemaForm, type SchemaFormProps } from "./SchemaForm.tsx";

const JsonEditor = lazy(async () => ({ default: (await import("../json/JsonEditor.tsx")).JsonEditor }));

export interface FormAndJsonProps<B> extends Omit<SchemaFormProps<B>, "form" | "unlisted"> {
  readonly form: DocumentForm;
  /** What the text is called: "Inbound as JSON". */
  readonly label: string;
  /** Beside the choice of the view. */
  readonly beside?: ReactNode;
}

export function FormAndJson<B>({ form, label, beside, groups, rest, ...props }: FormAndJsonProps<B>) {
  const words = useWords("parts").json;
  const [search, setSearch] = useSearchParams();
  const asJson = search.get("as") === "json";
  const show = (view: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (view === "json") next.set("as", "json");
        else next.delete("as");
        return next;
      },
      { replace: true },
    );
  const broken = !form.read.ok || !isJson(form.read.value);
  return (
    <>
      <Group justify="space-between" gap="xs" mb="sm">
        <SegmentedControl
          aria-label={words.view}
          size="xs"
          value={asJson ? "json" : "form"}
          onChange={show}
          data={[
            { value: "form", label: words.form },
            { value: "json", label: "JSON" },
          ]}
        />
        {beside}
      </Group>
      {asJson ? (
        <SchemaForm
          {...props}
          form={form}
          groups={[]}
          unlisted
          rest={{
            show: () => (
              <Suspense fallback={<LoadingLines lines={8} />}>
                <JsonEditor form={form} label={label} />
              </Suspense>
            ),
          }}
        />
      ) : broken ? (
        <Alert color="orange" variant="light" role="alert" title={words.broken}>
          <Group gap="xs" mt="xs">
            <Button size="xs" onClick={() => show("json")}>
              {words.mend}
            </Button>
            <Button size="xs" variant="default" onClick={() => form.replace(form.document)}>
              {words.drop}
            </Button>
          </Group>
          <Text size="sm" mt="xs">
            {words.brokenText}
          </Text>
        </Alert>
      ) : (
        <SchemaForm {...props} form={form} groups={groups} {...(rest === undefined ? {} : { rest })} />
      )}
    </>
  );
}
