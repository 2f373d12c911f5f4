// The reference of the API, drawn from the description that this panel serves: nothing is fetched from elsewhere, and
// it says what this version does. Open to everybody, as the description is.
import { Anchor, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import { useApi } from "../api/queries.ts";
import { Answer, Empty } from "../parts/Answer.tsx";
import { PageHead } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { chaptersOf, eventsOf, type ApiDocument } from "./document.ts";
import { OperationCard } from "./OperationCard.tsx";
import classes from "./reference.module.css";

export default function ReferencePage() {
  const words = useWords("reference");
  const answer = useApi<ApiDocument>("/openapi.json");
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search);
  // `#createUser` opens that operation.
  const [aimed] = useState(() => decodeURIComponent(location.hash.slice(1)));
  return (
    <main className={classes["page"]}>
      <PageHead
        title={words.title}
        under={answer.data ? `${answer.data.info.title} ${answer.data.info["x-panel-version"]}` : words.lead}
        actions={
          <>
            <Anchor href={new URL("api/openapi.json", document.baseURI).href}>openapi.json</Anchor>
            <Anchor href={new URL("api/openapi.yaml", document.baseURI).href}>openapi.yaml</Anchor>
          </>
        }
      />
      <p className={classes["said"]}>{words.lead}</p>
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Answer of={answer}>{(document) => <Chapters document={document} search={wanted} aimed={aimed} />}</Answer>
    </main>
  );
}

function Chapters({
  document,
  search,
  aimed,
}: {
  readonly document: ApiDocument;
  readonly search: string;
  readonly aimed: string;
}) {
  const words = useWords("reference");
  const chapters = chaptersOf(document, search);
  const events = eventsOf(document, search);
  const all = [...chapters, ...(events.length === 0 ? [] : [{ tag: words.events, entries: events }])];
  if (all.length === 0) return <Empty title={words.nothing} />;
  return (
    <>
      <nav aria-label={words.chapters} className={classes["chapters"]}>
        {all.map(({ tag, entries }) => (
          <a key={tag} href={`${location.pathname}#chapter-${tag}`}>
            {tag} <span className={classes["count"]}>{entries.length}</span>
          </a>
        ))}
      </nav>
      {all.map(({ tag, entries }) => (
        <section key={tag} id={`chapter-${tag}`} className={classes["chapter"]}>
          <h2>{tag}</h2>
          {entries.map((entry) => (
            <OperationCard
              key={entry.operation.operationId}
              document={document}
              entry={entry}
              initiallyOpen={entry.operation.operationId === aimed}
            />
          ))}
        </section>
      ))}
    </>
  );
}
