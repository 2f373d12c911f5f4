// A part of a document that has no inputs of its own, as JSON in a few lines.
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/words.ts";
import { isSame } from "../diff/differences.ts";
import { readJson } from "../json/read-json.ts";
import type { DocumentForm } from "./document-form.ts";
import { fieldId } from "./FieldInput.tsx";

export interface JsonInputProps {
  readonly form: DocumentForm;
  readonly formId: string;
  readonly path: string;
  readonly label: string;
  readonly help?: string | undefined;
}

export function JsonInput({ form, formId, path, label, help }: JsonInputProps) {
  const words = useWords("parts").json;
  const value = form.at(path);
  const written = value === undefined ? "" : JSON.stringify(value, undefined, 2);
  const [typed, setTyped] = useState<{ readonly text: string; readonly means: unknown }>();
  // Changed elsewhere: what was typed here is old.
  const text = typed && (isSame(typed.means, value) || form.problems[path] !== undefined) ? typed.text : written;
  return (
    <Textarea
      id={fieldId(formId, path)}
      label={label}
      description={help}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={form.problems[path]}
      dir="ltr"
      ff="monospace"
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        const read = readJson(next);
        if (next.trim() === "") {
          setTyped({ text: next, means: undefined });
          form.complain(path, undefined);
          form.put(path, undefined);
        } else if (read.ok) {
          setTyped({ text: next, means: read.value });
          form.complain(path, undefined);
          form.put(path, read.value);
        } else {
          setTyped({ text: next, means: value });
          form.complain(path, words.faults[read.fault]);
        }
      }}
    />
  );
}
