// The users that a job made from a pattern: as a table for a spreadsheet, or as codes to hand over.
import { Button, Group } from "@mantine/core";
import { IconFileSpreadsheet, IconQrcode } from "@tabler/icons-react";
import type { z } from "zod";
import { Link } from "wouter";
import type { GeneratedUser } from "../../accounts/generate/generate.schema.ts";
import { csvHead, csvLine } from "../../lib/csv.ts";
import { call } from "../api/call.ts";
import { Panel } from "../parts/Record.tsx";
import { saveText } from "../parts/table/export.ts";
import { useWords } from "../words/words.ts";

export type JobUser = z.output<typeof GeneratedUser>;

export function JobUsers({ id }: { readonly id: number }) {
  const words = useWords("jobs");
  const save = async () => {
    const users = await call<readonly JobUser[]>("GET", `/jobs/${id}/users`);
    const lines = users.map((user) => csvLine([user.id, user.name, user.subUrl]));
    saveText(`users-${id}.csv`, [csvHead(["id", "name", "subUrl"]), ...lines].join(""), "text/csv");
  };
  return (
    <Panel title={words.resultTitle}>
      <Group>
        <Button
          variant="default"
          leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
          onClick={() => void save()}
        >
          {words.csv}
        </Button>
        <Button
          variant="default"
          leftSection={<IconQrcode size={16} aria-hidden />}
          component={Link}
          href={`/jobs/${id}/codes`}
        >
          {words.codes}
        </Button>
      </Group>
    </Panel>
  );
}
