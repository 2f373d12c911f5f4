// An archive as counts beside those of today, with what to know before, and whether this panel can restore it.
import { Alert, Stack } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Moment } from "../parts/Ago.tsx";
import { Code, Dim } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import { Facts, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { BACKUPS, type BackupList, type Manifest, type Preview } from "./backup.ts";
import { COUNTED, type Counts } from "./use-here.ts";
import { Warnings } from "./Warnings.tsx";
import classes from "./backups.module.css";

interface PreviewPanelsProps {
  readonly preview: Preview;
  readonly here: Counts;
  /** In the panel's folder; undefined: it is not there. */
  readonly name: string | undefined;
}

export function PreviewPanels({ preview, here, name }: PreviewPanelsProps) {
  const words = useWords("backups");
  const format = useFormat();
  const now = useNow(60);
  const { manifest, warnings, compatible } = preview;
  const { archive, list } = words;
  const held = [manifest.history ? list.history : "", manifest.audit ? list.audit : ""].filter(Boolean);
  return (
    <>
      {compatible ? (
        <Alert
          color="green"
          variant="light"
          icon={<IconCircleCheck size={18} aria-hidden />}
          title={archive.compatible}
        >
          {archive.old(format.duration(Math.max(1, now - manifest.createdAt)))}
        </Alert>
      ) : (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={archive.incompatible}
          role="alert"
        >
          {archive.incompatibleText(manifest.version)}
        </Alert>
      )}
      <Warnings warnings={warnings} />
      <Panel title={archive.counts}>
        <p className={classes["said"]}>{archive.countsText}</p>
        <CountTable preview={preview} here={here} />
      </Panel>
      <Panel title={archive.facts}>
        <Stack>
          <Facts
            items={[
              { label: list.made, value: <Moment at={manifest.createdAt} /> },
              { label: list.version, value: <Code>{manifest.version}</Code> },
              { label: list.database, value: <Code>{manifest.database}</Code> },
              { label: list.schema, value: <Code>{manifest.schema}</Code> },
              { label: list.holds, value: held.length === 0 ? undefined : held.join(" · ") },
            ]}
          />
          <TableRows manifest={manifest} name={name} />
        </Stack>
      </Panel>
    </>
  );
}

function CountTable({ preview, here }: { readonly preview: Preview; readonly here: Counts }) {
  const { archive: words } = useWords("backups");
  const format = useFormat();
  return (
    <table className={classes["counts"]}>
      <thead>
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.here}</th>
          <th scope="col">{words.there}</th>
          <th scope="col">{words.difference}</th>
        </tr>
      </thead>
      <tbody>
        {COUNTED.map((kind) => {
          const [now, then] = [here[kind], preview[kind]];
          return (
            <tr key={kind}>
              <th scope="row">{words[kind]}</th>
              <td>{now === undefined ? <Dim>–</Dim> : format.number(now)}</td>
              <td>{format.number(then)}</td>
              <td>
                {now === undefined ? (
                  <Dim>–</Dim>
                ) : now === then ? (
                  <Dim>{words.same}</Dim>
                ) : (
                  <Difference value={then - now} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Difference({ value }: { readonly value: number }) {
  const format = useFormat();
  return (
    <bdi dir="ltr" className={classes["difference"]} data-less={value < 0}>
      {value > 0 ? "+" : "−"}
      {format.number(Math.abs(value))}
    </bdi>
  );
}

/** Rows of each table, beside those of the newest archive where that is another one and says them. */
function TableRows({ manifest, name }: { readonly manifest: Manifest; readonly name: string | undefined }) {
  const { archive: words } = useWords("backups");
  const format = useFormat();
  const { data } = useApi<BackupList>(BACKUPS.list);
  const newest = data?.items.find((each) => each.manifest !== null);
  const other = newest && newest.name !== name ? newest : undefined;
  const rowsThere = new Map(other?.manifest?.tables.map((table) => [table.name, table.rows]));
  return (
    <details>
      <summary className={classes["summary"]}>
        {words.tables} ({format.number(manifest.tables.length)})
      </summary>
      <table className={classes["counts"]}>
        <thead>
          <tr>
            <th scope="col">{words.table}</th>
            <th scope="col">{words.tableRows}</th>
            {other ? <th scope="col">{words.newest(other.name)}</th> : null}
          </tr>
        </thead>
        <tbody>
          {manifest.tables.map((table) => (
            <tr key={table.name}>
              <th scope="row">
                <Code>{table.name}</Code>
              </th>
              <td>{format.number(table.rows)}</td>
              {other ? <td>{format.number(rowsThere.get(table.name) ?? 0)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
