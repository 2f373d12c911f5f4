// A QR code, dark on white in both themes since readers want it so; a click shows it as large as the screen.
import { Button, Modal, Stack, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWords } from "../words/words.ts";
import classes from "./qr.module.css";

/** Past this many characters phones fail to read it from a screen. */
const DENSE = 900;

export function QrCode({
  value,
  label,
  size = 180,
}: {
  readonly value: string;
  readonly label: string;
  readonly size?: number;
}) {
  const words = useWords("parts");
  const [large, setLarge] = useState(false);
  return (
    <Stack gap={6} align="center">
      <UnstyledButton
        className={classes["paper"] ?? ""}
        style={{ inlineSize: size, blockSize: size }}
        onClick={() => setLarge(true)}
        aria-label={words.qrLarge}
      >
        <QrDrawing value={value} label={label} />
      </UnstyledButton>
      {value.length > DENSE ? (
        <Text size="xs" c="orange">
          {words.qrDense}
        </Text>
      ) : null}
      <QrFullScreen value={value} label={label} opened={large} onClose={() => setLarge(false)} />
    </Stack>
  );
}

/** The code over the whole screen, on white; a click anywhere or Esc closes it. */
export function QrFullScreen({
  value,
  label,
  opened,
  onClose,
}: {
  value: string;
  label: string;
  opened: boolean;
  onClose: () => void;
}) {
  const words = useWords("parts");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      fullScreen
      withCloseButton={false}
      padding={0}
      classNames={{ content: classes["screen"] ?? "" }}
      attributes={{ content: { "aria-label": label } }}
    >
      <div className={classes["whole"]}>
        <button type="button" className={classes["field"]} onClick={onClose} aria-label={words.close}>
          <QrDrawing value={value} label={label} />
        </button>
        <bdi className={classes["name"]}>{label}</bdi>
        <Button variant="default" onClick={onClose} className={classes["close"] ?? ""}>
          {words.close}
        </Button>
      </div>
    </Modal>
  );
}

function QrDrawing({ value, label }: { readonly value: string; readonly label: string }) {
  const words = useWords("parts");
  const drawing = useQuery({
    queryKey: ["qr", value],
    queryFn: async () => pathOf((await import("uqr")).encode(value, { ecc: "M", border: 2 }).data),
    staleTime: Infinity,
    gcTime: 60_000,
  });
  if (drawing.error) return <Text c="dark.7">{words.qrTooLong}</Text>;
  if (!drawing.data) return null;
  const { path, size } = drawing.data;
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={`QR: ${label}`}
      shapeRendering="crispEdges"
      className={classes["drawing"]}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Runs of dark modules, row by row, as one path. */
function pathOf(rows: readonly (readonly boolean[])[]): { path: string; size: number } {
  let path = "";
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      let run = 0;
      while (row[x + run]) run++;
      if (run > 0) path += `M${x} ${y}h${run}v1h-${run}z`;
      x += run;
    }
  }
  return { path, size: rows.length };
}
