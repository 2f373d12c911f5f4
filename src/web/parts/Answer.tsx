// What a page shows of an answer: loading, failed, empty, or the data; data that could not be renewed stays, dimmed,
// with its age. All of it is dimmed while the panel is away.
import { Alert, Button, Center, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCloudOff, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ApiError } from "../api/call.ts";
import { useWords } from "../words/words.ts";
import { useAway } from "../api/away.ts";
import { Ago } from "./Ago.tsx";
import { refusalText } from "./refusal.ts";
import classes from "./answer.module.css";

/**
 * What is shown of a query's answer: a `UseQueryResult`, or one whose data was made into something else (`{ ...answer,
 * data: rows }`).
 */
export interface AnswerOf<T> {
  readonly data: T | undefined;
  readonly error: ApiError | null;
  readonly isFetching: boolean;
  /** The data answers another question than the one that is asked now. */
  readonly isPlaceholderData: boolean;
  /** Unix milliseconds. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

export interface AnswerProps<T> {
  readonly of: AnswerOf<T>;
  /** In place of the data while the first answer is awaited; lines of a skeleton unless given. */
  readonly loading?: ReactNode;
  /** Whether the data has nothing to show, and what to say then. */
  readonly empty?: (data: T) => boolean;
  readonly whenEmpty?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

export function Answer<T>({ of, loading, empty, whenEmpty, children }: AnswerProps<T>) {
  const away = useAway();
  if (of.data === undefined) {
    if (of.error) return <Failure error={of.error} retry={() => void of.refetch()} busy={of.isFetching} />;
    return <>{loading ?? <LoadingLines />}</>;
  }
  const failed = of.error !== null && !of.isPlaceholderData;
  return (
    <div
      className={classes["answer"]}
      data-stale={failed || away}
      data-waiting={of.isPlaceholderData}
      aria-busy={of.isPlaceholderData}
    >
      {failed ? (
        <StaleNote since={of.dataUpdatedAt} error={of.error} retry={() => void of.refetch()} busy={of.isFetching} />
      ) : null}
      <div className={classes["body"]}>{empty?.(of.data) && whenEmpty ? whenEmpty : children(of.data)}</div>
    </div>
  );
}

/** Lines in the shape of text, while the first answer is awaited. */
export function LoadingLines({ lines = 4 }: { readonly lines?: number }) {
  const words = useWords("parts");
  return (
    <Stack gap="sm" aria-busy aria-label={words.loading} role="status">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={18} width={`${92 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

/** A refusal: what happened, why, at which field, and the way on. */
export function Failure({
  error,
  retry,
  busy,
}: {
  readonly error: ApiError;
  readonly retry?: () => void;
  readonly busy?: boolean;
}) {
  const words = useWords("parts");
  const text = refusalText(error, words);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={text.title}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          <bdi>{text.cause}</bdi>
        </Text>
        {text.detail === "" ? null : (
          <Text size="xs" c="dimmed" ff="monospace" dir="ltr">
            {text.detail}
          </Text>
        )}
        {retry ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={retry}
            loading={busy ?? false}
          >
            {words.retry}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

function StaleNote({
  since,
  error,
  retry,
  busy,
}: {
  since: number;
  error: ApiError;
  retry: () => void;
  busy: boolean;
}) {
  const words = useWords("parts");
  return (
    <Group className={classes["stale"]} gap="xs" role="status" wrap="wrap">
      <IconCloudOff size={16} aria-hidden />
      <Text size="sm">
        {words.stale} <Ago at={Math.floor(since / 1000)} /> · <bdi>{refusalText(error, words).title}</bdi>
      </Text>
      <Button size="compact-xs" variant="subtle" onClick={retry} loading={busy}>
        {words.retry}
      </Button>
    </Group>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
  /** One line inside a panel that has more to say. */
  readonly small?: boolean;
}

/** Nothing here, and what to do about it. */
export function Empty({ title, text, action, icon, small }: EmptyProps) {
  return (
    <Center className={classes["empty"]} data-small={small}>
      <Stack gap={6} align="center" maw={420} ta="center">
        {icon}
        <Text fw={small ? 400 : 600} c={small ? "dimmed" : ""} size={small ? "sm" : "md"}>
          {title}
        </Text>
        {text === undefined ? null : (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
        {action === undefined ? null : <div className={classes["next"]}>{action}</div>}
      </Stack>
    </Center>
  );
}
