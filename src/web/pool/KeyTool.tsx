// A button at a field that fills it with a new key.
import { ActionIcon } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { ApiError, call } from "../api/call.ts";
import type { DocumentForm } from "../parts/form/document-form.ts";
import { refusalText } from "../parts/refusal.ts";
import { useCan } from "../session/me.ts";
import { sayFailed } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";

/** What a tool makes, and where it goes: fields of its answer by path. */
export interface KeyMaking {
  readonly tool: "uuid" | "password" | "ss-key" | "reality-keypair" | "wireguard-keypair";
  readonly body?: object;
  readonly into: Readonly<Record<string, string>>;
}

type Made = Readonly<Record<string, string>>;

export function makeKey({ tool, body }: Pick<KeyMaking, "tool" | "body">): Promise<Made> {
  return call<Made>("POST", `/tools/${tool}`, body === undefined ? {} : { body });
}

/** Undefined for whoever may not make keys. */
export function useKeyTool(form: DocumentForm): (making: KeyMaking) => ReactNode {
  const can = useCan();
  return (making) => (can("tools:write") ? <KeyTool form={form} making={making} /> : undefined);
}

function KeyTool({ form, making }: { readonly form: DocumentForm; readonly making: KeyMaking }) {
  const words = useWords("pool");
  const parts = useWords("parts");
  const [busy, setBusy] = useState(false);
  const fill = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await makeKey(making);
      for (const [name, path] of Object.entries(making.into)) {
        const isList = path.endsWith("[]");
        if (made[name] !== undefined) form.put(isList ? path.slice(0, -2) : path, isList ? [made[name]] : made[name]);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, cause } = refusalText(error, parts);
      sayFailed(words.makeKey, cause === "" ? title : cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ActionIcon
      variant="subtle"
      loading={busy}
      aria-label={words.makeKey}
      title={words.makeKey}
      onClick={() => void fill()}
    >
      <IconWand size={17} aria-hidden />
    </ActionIcon>
  );
}
