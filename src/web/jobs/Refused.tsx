// The records that a job refused, each with why: users, lines of a file, or places in a row of names.
import { Table, Text } from "@mantine/core";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { GENERATE, IMPORT, type Job } from "./job.ts";
import { useProblemText } from "./use-problem-text.ts";

export function Refused({ job: { kind, problems, failed, blocked } }: { readonly job: Job }) {
  const words = useWords("jobs");
  const format = useFormat();
  const said = useProblemText();
  const ofUsers = kind !== IMPORT && kind !== GENERATE;
  const all = ofUsers ? failed + blocked : failed;
  return (
    <Panel title={words.refusedTitle}>
      {all > problems.length ? (
        <Text size="sm" c="dimmed" mb="xs">
          {words.refusedFirst(problems.length)}
        </Text>
      ) : null}
      <Table aria-label={words.refusedTable}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={180}>{ofUsers ? words.user : kind === IMPORT ? words.line : words.place}</Table.Th>
            <Table.Th>{words.why}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {problems.map(({ id, name, ...problem }) => (
            <Table.Tr key={id}>
              <Table.Td>
                {ofUsers ? (
                  <Link href={`/users/${id}`}>{name === undefined ? words.userId(id) : <Name>{name}</Name>}</Link>
                ) : (
                  format.number(id)
                )}
              </Table.Td>
              <Table.Td>
                <bdi>{said(problem)}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
