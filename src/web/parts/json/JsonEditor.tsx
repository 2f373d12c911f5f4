// The text of a form's document: line numbers and colours, what is wrong with the line of it, what differs from what is
// saved.
//
// A plain text area: the browser's own undo, find, spell of keys on a phone and screen reader work in it, and it costs
// nothing to load. An editor component would be more than half of what a first visit may be (132 kB).
import { Button, Group } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useDeferredValue, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { CopyButton } from "../CopyButton.tsx";
import { Diff } from "../diff/Diff.tsx";
import type { DocumentForm } from "../form/document-form.ts";
import { Code } from "../Names.tsx";
import { problemText } from "../refusal.ts";
import { isJson } from "../schema/schema.ts";
import { piecesOf } from "./highlight.ts";
import classes from "./json.module.css";
import { lineOf, placeOf } from "./read-json.ts";

/** Longer texts are shown without colours. */
const COLOURED = 60_000;

interface LineFault {
  readonly at: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
  /** Path of the field; empty when the text is not a JSON object. */
  readonly path: string;
  readonly text: string;
}

export function JsonEditor({
  form,
  label,
  readOnly = false,
}: {
  readonly form: DocumentForm;
  /** What the document is: "Inbound as JSON". */
  readonly label: string;
  readonly readOnly?: boolean;
}) {
  const words = useWords("parts").json;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [comparing, compare] = useState(false);
  const { text } = form;
  const faults = useLineFaults(form);
  const lines = text.split("\n").length;
  const goTo = ({ at, to }: LineFault) => {
    area.current?.focus();
    area.current?.setSelectionRange(at, Math.max(to, at + 1));
  };
  return (
    <div className={classes["editor"]}>
      <Group gap="xs" justify="flex-end">
        {form.dirty && form.read.ok ? (
          <Button size="compact-sm" variant="subtle" aria-pressed={comparing} onClick={() => compare(!comparing)}>
            {words.changes}
          </Button>
        ) : null}
        {readOnly ? null : (
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={!form.read.ok}
            onClick={() => form.read.ok && form.write(JSON.stringify(form.read.value, undefined, 2))}
          >
            {words.format}
          </Button>
        )}
        <CopyButton value={text} />
      </Group>
      <div className={classes["frame"]} dir="ltr" data-wrong={faults.length > 0}>
        <div className={classes["numbers"]} aria-hidden>
          {Array.from({ length: lines }, (_, index) => (
            <span key={index} data-wrong={faults.some(({ line }) => line === index + 1)}>
              {index + 1}
            </span>
          ))}
        </div>
        <div className={classes["text"]}>
          <Colours text={text} />
          <textarea
            ref={area}
            className={classes["area"]}
            aria-label={label}
            aria-describedby={`${id}-faults`}
            aria-invalid={faults.length > 0}
            value={text}
            readOnly={readOnly}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            autoCorrect="off"
            wrap="off"
            onChange={(event) => form.write(event.currentTarget.value)}
            onKeyDown={indent}
          />
        </div>
      </div>
      <FaultList id={`${id}-faults`} faults={faults} goTo={goTo} />
      {comparing && form.read.ok ? (
        <Diff before={form.saved} after={form.document} heads={{ before: words.saved, after: words.yours }} />
      ) : null}
    </div>
  );
}

function FaultList({
  id,
  faults,
  goTo,
}: {
  readonly id: string;
  readonly faults: readonly LineFault[];
  readonly goTo: (fault: LineFault) => void;
}) {
  const words = useWords("parts").json;
  const format = useFormat();
  if (faults.length === 0) {
    return (
      <p id={id} className={classes["fine"]} role="status">
        <IconCheck size={15} aria-hidden /> {words.fine}
      </p>
    );
  }
  return (
    <ul id={id} className={classes["faults"]} role="status">
      {faults.map((fault) => (
        <li key={`${fault.at} ${fault.path} ${fault.text}`}>
          <IconAlertTriangle size={15} aria-hidden />
          <button type="button" onClick={() => goTo(fault)}>
            {words.line(format.number(fault.line), format.number(fault.column))}
          </button>
          {fault.path === "" ? null : <Code>{fault.path}</Code>}
          <bdi>{fault.text}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Faults of the text, of the schema, and of what the panel refused; in the order of the text. */
function useLineFaults(form: DocumentForm): readonly LineFault[] {
  const words = useWords("parts");
  const { text, read, faults, problems } = form;
  return useMemo(() => {
    const at = (from: number, to: number) => ({ at: from, to, ...lineOf(text, from) });
    if (!read.ok) return [{ ...at(read.at, read.at + 1), path: "", text: words.json.faults[read.fault] }];
    if (!isJson(read.value)) return [{ ...at(0, text.length), path: "", text: words.json.faults.object }];
    const told = new Map(faults.map((each) => [each.path, problemText({ ...each, message: each.code }, words)]));
    for (const [path, problem] of Object.entries(problems)) told.set(path, problem);
    return [...told]
      .map(([path, problem]) => {
        const { from, to } = placeOf(read.places, path);
        return { ...at(from, to), path, text: problem };
      })
      .toSorted((a, b) => a.at - b.at);
  }, [text, read, faults, problems, words]);
}

/** The text behind the one that is typed. */
function Colours({ text }: { readonly text: string }) {
  const shown = useDeferredValue(text);
  const pieces = useMemo(() => (shown.length > COLOURED ? undefined : piecesOf(shown)), [shown]);
  return (
    <pre className={classes["colours"]} aria-hidden>
      {pieces
        ? pieces.map(({ kind, text: piece }, index) => (
            <span key={index} data-kind={kind}>
              {piece}
            </span>
          ))
        : shown}
      {"\n"}
    </pre>
  );
}

/** A new line begins below the one before, further in after an opening bracket. Tab leaves the editor, as elsewhere. */
function indent(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
  const { value, selectionStart, readOnly } = event.currentTarget;
  if (readOnly) return;
  event.preventDefault();
  const before = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
  const [space = ""] = /^[ ]*/.exec(before) ?? [];
  // The one way to write into a text area that its undo knows of.
  document.execCommand("insertText", false, `\n${space}${/[{[]\s*$/.test(before) ? "  " : ""}`);
}
