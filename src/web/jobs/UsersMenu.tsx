// Beside the users' list: making many at once, those that were deleted, and the list as a file.
import { ActionIcon } from "@mantine/core";
import { IconDots, IconFileExport, IconFileImport, IconTrash, IconUsersPlus } from "@tabler/icons-react";
import { lazy } from "react";
import { useLocation } from "wouter";
import type { QueryValue } from "../api/call.ts";
import { apiUrl } from "../../client/exchange.ts";
import { LateMenu } from "../parts/LateMenu.tsx";
import { fetchFile } from "../parts/table/export.ts";
import type { RowAction } from "../parts/table/columns.ts";
import { useWords } from "../words/words.ts";

const loadMenu = () => import("../parts/RecordMenu.tsx");
const RecordMenu = lazy(loadMenu);
const icon = { size: 16, "aria-hidden": true } as const;

interface UsersMenuProps {
  readonly writes: boolean;
  /** What the list is asked. */
  readonly parameters: Readonly<Record<string, QueryValue>>;
}

export function UsersMenu({ writes, parameters }: UsersMenuProps) {
  const titles = useWords("titles");
  const words = useWords("users");
  const [, navigate] = useLocation();
  const save = (format: "csv" | "ndjson") => {
    const { limit: _, offset: __, sort: ___, order: ____, ...filters } = parameters;
    fetchFile(apiUrl(document.baseURI, "/users/export", { ...filters, format }).href);
  };
  const actions: readonly RowAction[] = [
    ...(writes
      ? [
          {
            id: "generate",
            label: titles.generateUsers,
            icon: <IconUsersPlus {...icon} />,
            run: () => navigate("/users/generate"),
          },
          {
            id: "import",
            label: titles.importUsers,
            icon: <IconFileImport {...icon} />,
            run: () => navigate("/users/import"),
          },
        ]
      : []),
    {
      id: "deleted",
      label: titles.deletedUsers,
      icon: <IconTrash {...icon} />,
      run: () => navigate("/users/deleted"),
    },
    { id: "csv", label: words.exportCsv, icon: <IconFileExport {...icon} />, run: () => save("csv") },
    { id: "ndjson", label: words.exportNdjson, icon: <IconFileExport {...icon} />, run: () => save("ndjson") },
  ];
  return (
    <LateMenu
      load={loadMenu}
      button={(props) => (
        <ActionIcon variant="default" size={36} aria-label={words.moreActions} {...props}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      )}
    >
      {(button) => <RecordMenu button={button} actions={actions} />}
    </LateMenu>
  );
}
