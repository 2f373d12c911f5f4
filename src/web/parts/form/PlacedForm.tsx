// A form whose page places the inputs itself: how an input is tied to its field, and where the focus goes after a
// refusal.
import { useEffect, useRef, useState, type ChangeEvent, type ReactNode } from "react";
import type { RecordForm } from "./record-form.ts";

/** Saves when it is submitted. After a refusal the first field that is wrong has the focus. */
export function PlacedForm({ form, children }: { readonly form: RecordForm; readonly children: ReactNode }) {
  const element = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const submit = async (): Promise<void> => {
    if (!(await form.save())) setRefusals((count) => count + 1);
  };
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
    </form>
  );
}

/** What ties the input of a text to its field. */
export function textOf(form: RecordForm, name: string) {
  return {
    ...stateOf(form, name),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => form.set(name, currentTarget.value),
  };
}

/** The same for an input that offers values. */
export function choiceOf(form: RecordForm, name: string) {
  return { ...stateOf(form, name), onChange: (value: string | null) => form.set(name, value ?? "") };
}

function stateOf({ values, problems }: RecordForm, name: string) {
  const value = values[name];
  return { value: typeof value === "string" ? value : "", error: problems[name] };
}
