// A QR code, dark on white in both themes since readers want it so; a click shows it as large as the screen.
import { Stack, Text, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useKeys } from "../browser/keys.ts";
import { useWords } from "../words/words.ts";
import { QrDrawing } from "./QrDrawing.tsx";
import classes from "./qr.module.css";

const QrFullScreen = lazy(() => import("./QrFullScreen.tsx"));

/** Past this many characters phones fail to read it from a screen. */
const DENSE = 900;

export function QrCode({
  value,
  label,
  size = 180,
  named,
}: {
  readonly value: string;
  readonly label: string;
  readonly size?: number;
  /** What the key `q` does, in the list of keys. Absent: the key belongs to another part of the page. */
  readonly named?: string;
}) {
  const words = useWords("parts");
  const [large, setLarge] = useState(false);
  const [used, setUsed] = useState(false);
  const show = () => {
    setUsed(true);
    setLarge(true);
  };
  useKeys(named === undefined ? {} : { q: { label: named, run: show } });
  return (
    <Stack gap={6} align="center">
      <UnstyledButton
        className={classes["paper"] ?? ""}
        style={{ inlineSize: size, blockSize: size }}
        onClick={show}
        aria-label={words.qrLarge}
      >
        <QrDrawing value={value} label={label} />
      </UnstyledButton>
      {value.length > DENSE ? (
        <Text size="xs" c="orange">
          {words.qrDense}
        </Text>
      ) : null}
      <Suspense>
        {used ? <QrFullScreen value={value} label={label} opened={large} onClose={() => setLarge(false)} /> : null}
      </Suspense>
    </Stack>
  );
}
