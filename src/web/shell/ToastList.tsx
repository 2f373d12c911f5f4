// The messages themselves, drawn by the library's container.
import { Notifications, notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.css";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import type { Toast } from "./toasts.tsx";

export default function ToastList() {
  return <Notifications position="bottom-right" limit={4} />;
}

export function showToast({ tone, title, text }: Toast): void {
  const failed = tone === "failed";
  const Icon = failed ? IconAlertTriangle : IconCheck;
  notifications.show({
    ...(title === undefined ? {} : { title }),
    message: text,
    icon: <Icon size={16} aria-hidden />,
    color: failed ? "red" : "green",
    autoClose: failed ? false : 4000,
    withBorder: true,
    role: failed ? "alert" : "status",
  });
}
