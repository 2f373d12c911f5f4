// One operation or event: closed it is a line; open it says what it takes, what it answers and what it refuses.
import { useState } from "react";
import { useWords } from "../words/words.ts";
import { exampleOf, nameOf, resolved, type ApiDocument, type Entry, type Response } from "./document.ts";
import { Fields, SchemaFields } from "./Fields.tsx";
import classes from "./reference.module.css";

interface CardProps {
  readonly document: ApiDocument;
  readonly entry: Entry;
  readonly initiallyOpen: boolean;
}

export function OperationCard({ document, entry, initiallyOpen }: CardProps) {
  const [isOpen, open] = useState(initiallyOpen);
  const { method, path, operation } = entry;
  return (
    <details
      id={operation.operationId}
      className={classes["operation"]}
      open={isOpen}
      onToggle={({ currentTarget }) => open(currentTarget.open)}
    >
      <summary>
        <span className={classes["method"]} data-method={method}>
          {method}
        </span>
        <code className={classes["path"]}>{path}</code>
        <span className={classes["summary"]}>{operation.summary}</span>
      </summary>
      {isOpen ? <Body document={document} entry={entry} /> : null}
    </details>
  );
}

function Body({ document, entry: { operation } }: { readonly document: ApiDocument; readonly entry: Entry }) {
  const words = useWords("reference");
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const [, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const responses = Object.entries(operation.responses ?? {});
  const example = exampleOf(body);
  const scopes = operation["x-scopes"] ?? [];
  return (
    <div className={classes["body"]}>
      <p className={classes["said"]}>
        <code>{operation.operationId}</code>
        {scopes.length === 0 ? null : (
          <>
            {" · "}
            {words.scopes} <code>{scopes.join(", ")}</code>
          </>
        )}
      </p>
      {operation.description === undefined ? null : <p className={classes["said"]}>{operation.description}</p>}
      {parameters.length === 0 ? null : (
        <section>
          <h4>{words.parameters}</h4>
          <Fields
            document={document}
            rows={parameters.map(({ name, schema = {}, required, description, in: place }) => ({
              name,
              schema,
              required: required === true,
              description,
              place,
            }))}
          />
        </section>
      )}
      {body?.schema ? (
        <section>
          <h4>{words.body}</h4>
          <SchemaFields document={document} schema={body.schema} />
          {example === undefined ? null : <Sample value={example} />}
        </section>
      ) : null}
      <section>
        <h4>{words.answers}</h4>
        <ul className={classes["fields"]}>
          {responses.map(([status, response]) => (
            <AnswerRow key={status} document={document} status={status} response={resolved(document, response)} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function AnswerRow({
  document,
  status,
  response,
}: {
  readonly document: ApiDocument;
  readonly status: string;
  readonly response: Response;
}) {
  const words = useWords("reference");
  const [isOpen, open] = useState(status.startsWith("2"));
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  return (
    <li className={classes["field"]}>
      <div className={classes["fieldHead"]}>
        <code className={classes["name"]}>{status}</code>
        <span>{response.description}</span>
        {media?.schema ? <code className={classes["type"]}>{nameOf(media.schema) ?? type}</code> : null}
        {media?.schema ? (
          <button type="button" className={classes["more"]} aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            {words.fields}
          </button>
        ) : null}
      </div>
      {media?.schema && isOpen ? <SchemaFields document={document} schema={media.schema} /> : null}
    </li>
  );
}

function Sample({ value }: { readonly value: unknown }) {
  const words = useWords("reference");
  return (
    <figure className={classes["sample"]}>
      <figcaption>{words.example}</figcaption>
      {/* A region that scrolls is reached by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} dir="ltr">
        {JSON.stringify(value, null, 2)}
      </pre>
    </figure>
  );
}
