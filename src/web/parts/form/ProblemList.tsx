// What is wrong in a form, above it: each problem leads to its input.
import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useWords } from "../../words/words.ts";
import { Code } from "../Names.tsx";
import { fieldId } from "./FieldInput.tsx";
import classes from "./form.module.css";

export interface FormProblem {
  readonly name: string;
  /** Undefined: a field that the form has no words for. */
  readonly label: string | undefined;
  readonly text: string;
}

export function ProblemList({
  formId,
  problems,
}: {
  readonly formId: string;
  readonly problems: readonly FormProblem[];
}) {
  const words = useWords("parts");
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={words.problems(problems.length)}
    >
      <ul className={classes["summary"]}>
        {problems.map(({ name, label, text }) => (
          <li key={name}>
            <a
              href={`#${fieldId(formId, name)}`}
              onClick={(event) => {
                event.preventDefault();
                focusField(formId, name);
              }}
            >
              {label ?? <Code>{name}</Code>}
            </a>
            : <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** The input of a field, or of what is around it; a closed group is opened. */
export function focusField(formId: string, name: string): void {
  for (let at = name; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const input = document.querySelector<HTMLElement>(`#${CSS.escape(fieldId(formId, at))}`);
    if (!input) continue;
    for (let group = input.closest("details"); group; group = group.parentElement?.closest("details") ?? null)
      group.open = true;
    input.focus();
    return;
  }
}
