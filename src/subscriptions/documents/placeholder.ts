// What a user that is served nothing receives instead of servers: one entry whose name says why (rule
// subscriptions.unserved.1). And what a refused device is told (rule subscriptions.device.7).
import type { Entry } from "./model.ts";
import type { PageLanguage } from "../page/language.ts";

/** Statuses with which a user is served; every other gets the placeholder. */
const SERVED = ["active", "pending"];

interface Texts {
  readonly expired: string;
  readonly limited: string;
  readonly off: string;
  readonly resaleVolume: string;
  readonly resaleExpiry: string;
  readonly other: string;
  readonly full: string;
  readonly unidentified: string;
}

const TEXTS: Readonly<Record<PageLanguage, Texts>> = {
  en: {
    expired: "Expired: please renew",
    limited: "Traffic used up: please renew",
    off: "Account is off",
    resaleVolume: "Provider's traffic used up",
    resaleExpiry: "Provider's account expired",
    other: "Not served",
    full: "Too many devices: remove one, or ask your provider",
    unidentified: "This app does not identify its device: use another app",
  },
  fa: {
    expired: "منقضی شده: لطفاً تمدید کنید",
    limited: "حجم تمام شده: لطفاً تمدید کنید",
    off: "حساب خاموش است",
    resaleVolume: "حجم ارائه‌دهنده تمام شده است",
    resaleExpiry: "حساب ارائه‌دهنده منقضی شده است",
    other: "سرویس داده نمی‌شود",
    full: "تعداد دستگاه‌ها بیش از حد مجاز است: یکی را حذف کنید یا از ارائه‌دهنده بپرسید",
    unidentified: "این برنامه دستگاه خود را معرفی نمی‌کند: از برنامه دیگری استفاده کنید",
  },
  ru: {
    expired: "Срок истёк: продлите подписку",
    limited: "Трафик исчерпан: продлите подписку",
    off: "Учётная запись отключена",
    resaleVolume: "Трафик поставщика исчерпан",
    resaleExpiry: "Срок поставщика истёк",
    other: "Не обслуживается",
    full: "Слишком много устройств: удалите одно или обратитесь к поставщику",
    unidentified: "Это приложение не называет устройство: используйте другое",
  },
  zh: {
    expired: "已到期：请续费",
    limited: "流量已用完：请续费",
    off: "账户已停用",
    resaleVolume: "服务商的流量已用完",
    resaleExpiry: "服务商的账户已到期",
    other: "暂不提供服务",
    full: "设备过多：请移除一台或联系服务商",
    unidentified: "此应用不提供设备标识：请改用其他应用",
  },
};

const BY_STATUS: Readonly<Record<string, keyof Texts>> = { expired: "expired", limited: "limited", disabled: "off" };

/** A disabled account says what the enforcer switched it off for. */
const BY_REASON: Readonly<Record<string, keyof Texts>> = {
  expiry: "expired",
  volume: "limited",
  "resale-volume": "resaleVolume",
  "resale-expiry": "resaleExpiry",
};

/** Whether an account of a status is served. */
export function isServedStatus(status: string): boolean {
  return SERVED.includes(status);
}

/** Why the user is served nothing, in words; undefined for one that is served. */
export function refusalText(status: string, disabledReason: string, language: PageLanguage = "en"): string | undefined {
  if (isServedStatus(status)) return undefined;
  const reason =
    status === "disabled" && Object.hasOwn(BY_REASON, disabledReason) ? BY_REASON[disabledReason] : undefined;
  return TEXTS[language][reason ?? (Object.hasOwn(BY_STATUS, status) ? BY_STATUS[status] : undefined) ?? "other"];
}

/** Why a device gets no configurations, in words. */
export function deviceText(verdict: "full" | "unidentified", language: PageLanguage): string {
  return TEXTS[language][verdict];
}

/** An entry that connects nowhere (0.0.0.0 port 1) and is valid in every format. */
export function placeholderEntry(text: string): Entry {
  return {
    name: text,
    protocol: "vless",
    server: "0.0.0.0",
    port: 1,
    uuid: "00000000-0000-0000-0000-000000000000",
    password: "",
    flow: "",
    method: "",
    transport: undefined,
    tls: undefined,
    obfsPassword: "",
    congestionControl: "",
    multiplex: undefined,
  };
}
