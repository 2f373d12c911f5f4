// The messages themselves, drawn by the library's container.
import { Notifications, notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.css";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import type { Toast } from "./toasts.tsx";

export default function ToastList() {
  return <Notifications position="bottom-right" limit={4} />;
}

const COLOURS: Readonly<Record<Toast["tone"], string>> = { done: "green", partly: "yellow", failed: "red" };

export function showToast({ tone, title, text }: Toast): void {
  const failed = tone !== "done";
  const Icon = failed ? IconAlertTriangle : IconCheck;
  notifications.show({
    ...(title === undefined ? {} : { title }),
    message: text,
    icon: <Icon size={16} aria-hidden />,
    color: COLOURS[tone],
    autoClose: failed ? false : 4000,
    withBorder: true,
    role: failed ? "alert" : "status",
  });
}
