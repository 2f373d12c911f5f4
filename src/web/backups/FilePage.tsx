// An archive file of the person's own machine: chosen, read by the panel, and restored from here.
import { Button, FileInput, Stack } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { usePageTitle } from "../browser/title.ts";
import { PageHead, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { ARCHIVE_FILES } from "./archive-files.ts";
import { ArchiveView } from "./ArchiveView.tsx";
import classes from "./backups.module.css";

export default function FilePage() {
  const words = useWords("backups");
  const { upload } = words;
  const [file, setFile] = useState<File | null>(null);
  const [opened, setOpened] = useState<File>();
  usePageTitle(upload.title);
  return (
    <>
      <PageHead title={upload.title} under={upload.text} back={{ href: "/backups", label: words.title }} />
      <div className={classes["page"]}>
        <Panel>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setOpened(file ?? undefined);
            }}
          >
            <Stack align="flex-start">
              <FileInput
                label={upload.file}
                description={upload.help}
                inputWrapperOrder={["label", "input", "description", "error"]}
                placeholder={upload.choose}
                leftSection={<IconFileUpload size={17} aria-hidden />}
                accept={ARCHIVE_FILES}
                w="100%"
                maw={460}
                value={file}
                onChange={(chosen) => {
                  setFile(chosen);
                  setOpened(undefined);
                }}
              />
              {opened ? null : (
                <Button type="submit" disabled={file === null}>
                  {upload.preview}
                </Button>
              )}
            </Stack>
          </form>
        </Panel>
        {opened ? (
          <ArchiveView key={`${opened.name} ${String(opened.lastModified)}`} source={{ file: opened }} />
        ) : null}
      </div>
    </>
  );
}
