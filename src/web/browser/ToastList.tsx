// The messages themselves, drawn by the library's container.
import { Button, Group, VisuallyHidden } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.css";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useWords } from "../words/words.ts";
import type { Toast } from "./toasts.tsx";

export default function ToastList() {
  return <Notifications position="bottom-right" limit={4} withinPortal={false} />;
}

/** What the cross says to who does not see it. */
function CloseWord() {
  const words = useWords("parts");
  return <VisuallyHidden>{words.close}</VisuallyHidden>;
}

const COLOURS: Readonly<Record<Toast["tone"], string>> = { done: "green", partly: "yellow", failed: "red" };

const READ_MS = 4000;
/** Long enough to decide. */
const DECIDE_MS = 10_000;

export function showToast({ tone, title, text, offer }: Toast): void {
  const failed = tone !== "done";
  const Icon = failed ? IconAlertTriangle : IconCheck;
  const id = notifications.show({
    ...(title === undefined ? {} : { title }),
    message: offer ? (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span>{text}</span>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(id);
            offer.run();
          }}
        >
          {offer.label}
        </Button>
      </Group>
    ) : (
      text
    ),
    icon: <Icon size={16} aria-hidden />,
    color: COLOURS[tone],
    autoClose: failed ? false : offer ? DECIDE_MS : READ_MS,
    withBorder: true,
    closeButtonProps: { children: <CloseWord /> },
    role: failed ? "alert" : "status",
  });
}
