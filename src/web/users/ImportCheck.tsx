// What an import would do with a file: how many lines come to what, what is assumed, and every problem with the value
// that was read.
import { Button, Group, List, Stack, Table, Text, Title } from "@mantine/core";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import type { ImportTrial } from "../../accounts/transfer/import.schema.ts";
import { csvHead, csvLine } from "../../lib/csv.ts";
import { useFormat } from "../format/use-format.ts";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { saveText } from "../parts/table/export.ts";
import { useWords } from "../words/words.ts";
import { trialText } from "../jobs/problem-text.ts";

/** Problems on the page; the file has all. */
const SHOWN = 200;
const COUNTS = ["create", "update", "skip", "fail"] as const;
const COLUMNS = ["line", "name", "field", "value", "code", "error"] as const;

type Problem = ImportTrial["problems"][number];

export function ImportCheck({ trial, fileName }: { readonly trial: ImportTrial; readonly fileName: string }) {
  const words = useWords("jobs");
  const format = useFormat();
  const { lines, problems, unknownColumns, assumed } = trial;
  const save = () => {
    const rows = problems.map((problem) => csvLine(COLUMNS.map((column) => problem[column])));
    const stem = fileName.replace(/\.[^.]*$/, "");
    saveText(`${stem}-problems.csv`, [csvHead(COLUMNS), ...rows].join(""), "text/csv");
  };
  return (
    <Stack gap="sm" role="region" aria-label={words.checkTitle}>
      <Title order={3} size="h5">
        {words.checkTitle}
      </Title>
      <Text size="sm">{words.checkLines(lines, format.number(lines))}</Text>
      <List size="sm">
        {COUNTS.map((each) => (
          <List.Item key={each}>{words.checkCounts[each](trial[each], format.number(trial[each]))}</List.Item>
        ))}
      </List>
      {unknownColumns.length > 0 ? (
        <Text size="sm">
          {words.unknownColumns}{" "}
          {unknownColumns.map((name) => (
            <span key={name}>
              <Code>{name}</Code>{" "}
            </span>
          ))}
        </Text>
      ) : null}
      {assumed.length > 0 ? (
        <List size="sm">
          {assumed.map(({ field, code, value, lines: many }) => (
            <List.Item key={`${field} ${code} ${value}`}>
              <Code>{field}</Code>: {words.assumed[code](value)} ({words.assumedLines(many, format.number(many))})
            </List.Item>
          ))}
        </List>
      ) : null}
      {problems.length > 0 ? (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {problems.length > SHOWN
                ? words.leftFirst(format.number(SHOWN), format.number(problems.length))
                : words.checkFail}
            </Text>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconFileSpreadsheet size={15} aria-hidden />}
              onClick={save}
            >
              {words.leftCsv}
            </Button>
          </Group>
          <ProblemTable problems={problems.slice(0, SHOWN)} />
        </>
      ) : null}
    </Stack>
  );
}

function ProblemTable({ problems }: { readonly problems: readonly Problem[] }) {
  const words = useWords("jobs");
  const format = useFormat();
  const parts = useWords("parts");
  return (
    <Table aria-label={words.refusedTable}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="20%">{words.line}</Table.Th>
          <Table.Th w="26%">{words.field}</Table.Th>
          <Table.Th>{words.why}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {problems.map(({ line, name, field, value, code, error, values }) => (
          <Table.Tr key={`${line} ${field}`}>
            <Table.Td style={{ overflowWrap: "anywhere" }}>
              {format.number(line)}
              {name === "" ? null : (
                <div>
                  <Dim>
                    <Name>{name}</Name>
                  </Dim>
                </div>
              )}
            </Table.Td>
            <Table.Td>
              {field === "" ? <Dim>–</Dim> : <Code>{field}</Code>}
              {value === "" ? null : (
                <div style={{ overflowWrap: "anywhere" }}>
                  <bdi dir="auto">{value}</bdi>
                </div>
              )}
            </Table.Td>
            <Table.Td>
              <bdi>{trialText({ field, code, error, values }, words, parts)}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
