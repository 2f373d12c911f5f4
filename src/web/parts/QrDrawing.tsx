// The modules of a QR code as a drawing.
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { qrPath } from "../../lib/qr-path.ts";
import { useWords } from "../words/words.ts";
import classes from "./qr.module.css";

export function QrDrawing({ value, label }: { readonly value: string; readonly label: string }) {
  const words = useWords("parts");
  const drawing = useQuery({
    queryKey: ["qr", value],
    queryFn: async () => qrPath((await import("uqr")).encode(value, { ecc: "M", border: 2 }).data),
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
