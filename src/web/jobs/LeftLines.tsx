// The lines of an import that were refused or skipped: which line, which field and why, and all of them as a file.
import { Button, Group, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { useState } from "react";
import type { z } from "zod";
import type { LeftLines as Left } from "../../accounts/transfer/import.schema.ts";
import { apiUrl } from "../../client/exchange.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Answer } from "../parts/Answer.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { fetchFile } from "../parts/table/export.ts";
import { useWords } from "../words/words.ts";
import type { Job } from "./job.ts";
import { Refused } from "./Refused.tsx";
import { useProblemText } from "./use-problem-text.ts";

type Line = z.output<typeof Left>["lines"][number];
type Outcome = Line["outcome"];

export function LeftLines({ job }: { readonly job: Job }) {
  const words = useWords("jobs");
  const format = useFormat();
  const { blocked, failed } = job;
  const [outcome, setOutcome] = useState<Outcome>(failed > 0 ? "refused" : "skipped");
  const path = `/jobs/${job.id}/lines`;
  const left = useApi<z.output<typeof Left>>(path, { outcome });
  const save = () => fetchFile(apiUrl(document.baseURI, path, { format: "csv" }).href);
  // One of an older version has no lines, but its problems.
  if (left.data?.lines.length === 0 && outcome === "refused" && job.problems.length > 0) return <Refused job={job} />;
  return (
    <Panel
      title={words.leftTitle}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFileSpreadsheet size={15} aria-hidden />}
          onClick={() => save()}
        >
          {words.leftCsv}
        </Button>
      }
    >
      <Stack gap="xs">
        {failed > 0 && blocked > 0 ? (
          <Group>
            <SegmentedControl
              size="xs"
              aria-label={words.leftOutcome}
              value={outcome}
              onChange={(next) => setOutcome(next === "skipped" ? "skipped" : "refused")}
              data={[
                { value: "refused", label: `${words.facts.failed}: ${format.number(failed)}` },
                { value: "skipped", label: `${words.facts.skipped}: ${format.number(blocked)}` },
              ]}
            />
          </Group>
        ) : null}
        <Answer of={left}>{({ lines, total }) => <LineTable lines={lines} total={total} />}</Answer>
      </Stack>
    </Panel>
  );
}

function LineTable({ lines, total }: { readonly lines: readonly Line[]; readonly total: number }) {
  const words = useWords("jobs");
  const format = useFormat();
  const problemText = useProblemText();
  // The field has a column of its own.
  const said = ({ field, code, error, issues }: Line) => {
    const text = problemText({ code, error, ...(field === "" ? {} : { field }), ...(issues ? { issues } : {}) });
    return text.startsWith(`${field}: `) ? text.slice(field.length + 2) : text;
  };
  return (
    <>
      {total > lines.length ? (
        <Text size="sm" c="dimmed">
          {words.leftFirst(format.number(lines.length), format.number(total))}
        </Text>
      ) : null}
      <Table aria-label={words.refusedTable}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="20%">{words.line}</Table.Th>
            <Table.Th w="26%">{words.field}</Table.Th>
            <Table.Th>{words.why}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((left) => (
            <Table.Tr key={left.line}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {format.number(left.line)}
                {left.name === "" ? null : (
                  <div>
                    <Dim>
                      <Name>{left.name}</Name>
                    </Dim>
                  </div>
                )}
              </Table.Td>
              <Table.Td>
                {left.field === "" ? <Dim>–</Dim> : <Code>{left.field}</Code>}
                {left.value === "" ? null : (
                  <div style={{ overflowWrap: "anywhere" }}>
                    <bdi dir="auto">{left.value}</bdi>
                  </div>
                )}
              </Table.Td>
              <Table.Td>
                <bdi>{said(left)}</bdi>
                <div>
                  <Dim>
                    <Code>{left.code}</Code>
                  </Dim>
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
