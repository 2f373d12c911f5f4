// What comes up from the lower edge of a phone. Loaded when it is first needed.
import { Drawer, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import classes from "./table.module.css";

interface SheetProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

export default function Sheet({ opened, onClose, title, children }: SheetProps) {
  const words = useWords("parts");
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      title={
        <Text fw={600}>
          <bdi>{title}</bdi>
        </Text>
      }
      classNames={{ content: classes["sheetFrame"] ?? "", header: classes["sheetHead"] ?? "" }}
      closeButtonProps={{ "aria-label": words.close, size: 44, iconSize: 18 }}
    >
      {children}
    </Drawer>
  );
}
