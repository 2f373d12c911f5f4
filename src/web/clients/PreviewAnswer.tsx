// What a client would be answered: why in this format, its servers, what was left out, the headers and the body.
import { Anchor, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { Fragment, useState } from "react";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { CopyButton } from "../parts/CopyButton.tsx";
import { Code, Name } from "../parts/Names.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import { decodedText, readableHeader } from "./encoded.ts";
import type { Preview } from "./ClientPreview.tsx";
import { useRuleText } from "./use-rule-text.ts";
import classes from "./clients.module.css";

/** Longer bodies are shown in part; all of it can be copied. */
const SHOWN = 20_000;

export function PreviewAnswer({ preview }: { readonly preview: Preview }) {
  const words = useWords("clients");
  const shown = useFormat();
  const ruleText = useRuleText();
  const { rule, format, status, entries, omitted, headers } = preview;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <ToneBadge tone={status === 200 ? "ok" : "failed"}>{status}</ToneBadge>
        <Code>{format}</Code>
        <Text size="sm" c="dimmed">
          {rule ? words.byRow(shown.number(rule.position + 1)) : words.byNone} {rule && ruleText(rule)}
        </Text>
      </Group>
      {status === 200 ? null : <Text size="sm">{words.refusedText}</Text>}
      {status === 200 && (format !== "html" || entries.length > 0) ? <Servers entries={entries} /> : null}
      {omitted.length === 0 ? null : <LeftOut format={format} omitted={omitted} />}
      <details className={classes["fold"]}>
        <summary>{words.headers}</summary>
        <table className={classes["table"]}>
          <tbody>
            {Object.entries(headers).map(([name, value]) => {
              const readable = readableHeader(value);
              return (
                <tr key={name}>
                  <th scope="row">
                    <Code>{name}</Code>
                  </th>
                  <td>
                    <Code>{value}</Code>
                    {readable === undefined ? null : (
                      <Text size="xs" c="dimmed">
                        <bdi>{readable}</bdi>
                      </Text>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </details>
      <Body preview={preview} />
    </Stack>
  );
}

function Servers({ entries }: { readonly entries: Preview["entries"] }) {
  const words = useWords("clients");
  const format = useFormat();
  if (entries.length === 0) return <Text size="sm">{words.noServers}</Text>;
  return (
    <section>
      <h3 className={classes["heading"]}>{words.servers(format.number(entries.length))}</h3>
      <ol className={classes["list"]}>
        {entries.map((entry, index) => (
          // Entries may have one name: the place tells them apart.
          <li key={index}>
            <Name>{entry.remark}</Name>{" "}
            <Text span size="xs" c="dimmed">
              <Code>{entry.inbound}</Code> <NodeLink nodeId={entry.nodeId} node={entry.node} />
              {entry.front === null ? null : <Name>{` · ${entry.front}`}</Name>}
            </Text>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The node by its name, for those who may see nodes. */
function NodeLink({ nodeId, node }: Pick<Preview["entries"][number], "nodeId" | "node">) {
  if (node === null) return null;
  return (
    <Anchor component={Link} href={`/nodes/${nodeId}`} inherit>
      <Name>{node}</Name>
    </Anchor>
  );
}

/** An inbound is left out for one reason on several nodes, and by several addresses of a node: it is said once. */
function LeftOut({ format, omitted }: Pick<Preview, "format" | "omitted">) {
  const words = useWords("clients");
  const shown = useFormat();
  const said = Map.groupBy(omitted, ({ inboundId, code, what }) => `${inboundId} ${code} ${what}`);
  return (
    <section>
      <h3 className={classes["heading"]}>{words.leftOut(shown.number(omitted.length))}</h3>
      <ul className={classes["list"]}>
        {[...said].map(([key, ways]) => (
          <LeftOutWays key={key} format={format} ways={ways} />
        ))}
      </ul>
    </section>
  );
}

function LeftOutWays({ format, ways }: { readonly format: string; readonly ways: Preview["omitted"] }) {
  const words = useWords("clients");
  const [first] = ways;
  if (!first) return null;
  const nodes = new Map(ways.map((way) => [way.nodeId, way]));
  return (
    <li>
      <Code>{first.inbound}</Code>{" "}
      <Text span size="sm" c="dimmed">
        {words.why[first.code](format, first.what)}
        {[...nodes.values()].map((way) => (
          <Fragment key={way.nodeId}>
            {" "}
            <NodeLink nodeId={way.nodeId} node={way.node} />
          </Fragment>
        ))}
      </Text>
    </li>
  );
}

function Body({ preview: { body, format } }: { readonly preview: Preview }) {
  const words = useWords("clients");
  const [form, setForm] = useState<"sent" | "decoded">("sent");
  const coded = format === "base64" && body !== "";
  const text = coded && form === "decoded" ? (decodedText(body) ?? body) : body;
  return (
    <section>
      <Group justify="space-between" gap="xs" mb={6}>
        <h3 className={classes["heading"]}>{words.body}</h3>
        <Group gap="xs">
          {coded ? (
            <SegmentedControl
              size="xs"
              aria-label={words.body}
              value={form}
              data={[
                { value: "sent", label: words.asSent },
                { value: "decoded", label: words.decoded },
              ]}
              onChange={(next) => setForm(next === "decoded" ? "decoded" : "sent")}
            />
          ) : null}
          <CopyButton value={text} label={words.copyBody} />
        </Group>
      </Group>
      {text === "" ? (
        <Text size="sm" c="dimmed">
          {words.empty}
        </Text>
      ) : (
        <pre dir="ltr" className={classes["body"]} tabIndex={0} role="region" aria-label={words.body}>
          {text.slice(0, SHOWN)}
          {text.length > SHOWN ? "\n…" : ""}
        </pre>
      )}
    </section>
  );
}
