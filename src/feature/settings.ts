// What a setting is, and how features read settings. Each feature declares its own; the panel derives the catalogue.
import type { z } from "zod";
import type { Pointing } from "../http/index.ts";
import type { AddressList } from "../lib/addresses.ts";

/** Brings a value to its stored form, or says what is wrong with it. */
export type ValueCheck = z.ZodType<string, string>;

/** What people look a setting up under. */
export const SETTING_GROUPS = [
  "general",
  "web",
  "access",
  "subscriptions",
  "client_apps",
  "certificates",
  "events",
  "records",
  "alerts",
  "backups",
  "updates",
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

export interface SettingEntry {
  readonly group: SettingGroup;
  readonly check: ValueCheck;
  /**
   * Where its value leads customers and their programs: whoever may not read accounts adds nothing there (rule
   * admins.point.1).
   */
  readonly points: Pointing<string>;
  /** Value while it was never written. */
  readonly default: string;
  /** What an empty value means, where it means something else than empty. */
  readonly whenEmpty?: string;
  /** Written by main admins only, with a fresh second factor (rule settings.list.2). */
  readonly panelWide?: true;
  /** Sealed at rest, read as empty, never in the audit log. */
  readonly secret?: true;
  /** Neither listed nor writable by the route, for anyone. */
  readonly internal?: true;
  /** A panel that runs goes on with the value that it started with. */
  readonly restart?: true;
  /** Checked and kept, but the part of the panel that reads it is not built yet. */
  readonly unused?: true;
}

/** Settings by key. */
export type SettingEntries = Readonly<Record<string, SettingEntry>>;

/** A feature's settings; their keys are types from here on. */
export function defineSettings<K extends string>(
  entries: Readonly<Record<K, SettingEntry>>,
): Readonly<Record<K, SettingEntry>> {
  return entries;
}

/** Settings as features read them. `K`: the keys that a reader may name. */
export interface SettingsReader<in K extends string> {
  /** The value that holds: stored or default, and what an empty one means. Opens sealed ones. */
  text(key: K): string;
  /** The value that held when the panel started. */
  textAtStart(key: K): string;
  number(key: K): number;
  flag(key: K): boolean;
  addresses(key: K): AddressList;
  /** The entry of any text that may be a key. */
  entry(key: string): SettingEntry | undefined;
}
