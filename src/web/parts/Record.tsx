// The frame of record pages: head with name and actions, panels, facts as label and value.
import { Group, Paper, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import classes from "./record.module.css";

export interface PageHeadProps {
  readonly title: ReactNode;
  /** Beside the title: a state, a mark. */
  readonly beside?: ReactNode;
  /** Under the title, dimmed. */
  readonly under?: ReactNode;
  readonly actions?: ReactNode;
  /** The list that the record is in. */
  readonly back?: { readonly href: string; readonly label: string };
}

export function PageHead({ title, beside, under, actions, back }: PageHeadProps) {
  return (
    <header className={classes["head"]}>
      <div className={classes["names"]}>
        {back ? (
          <Link href={back.href} className={classes["back"] ?? ""}>
            <IconArrowLeft size={14} aria-hidden />
            {back.label}
          </Link>
        ) : null}
        <Group gap="sm" wrap="wrap">
          <Title order={1} className={classes["title"] ?? ""} tabIndex={-1}>
            {title}
          </Title>
          {beside}
        </Group>
        {under === undefined ? null : <div className={classes["under"]}>{under}</div>}
      </div>
      {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
    </header>
  );
}

/** A titled surface. */
export function Panel({
  title,
  actions,
  children,
  id,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <Paper component="section" withBorder className={classes["panel"] ?? ""} {...(id === undefined ? {} : { id })}>
      {title === undefined && actions === undefined ? null : (
        <Group justify="space-between" mb="sm" gap="xs" wrap="nowrap">
          <h2 className={classes["panelTitle"]}>{title}</h2>
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  );
}

export interface Fact {
  readonly label: string;
  /** Undefined or null: the line is left out. */
  readonly value: ReactNode;
}

/** Labels with their values. */
export function Facts({ items }: { readonly items: readonly Fact[] }) {
  return (
    <dl className={classes["facts"]}>
      {items
        .filter(({ value }) => value !== undefined && value !== null)
        .map(({ label, value }) => (
          <div key={label} className={classes["fact"]}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
