// What a connected node does not serve, in Russian, by the code of the notice.
import { agentNotices } from "../agent-notices/ru.ts";
import { roughSpan } from "../../../protocol/notices/index.ts";
import type { NoticeWords } from "../../../fleet/records/notice.schema.ts";

export const notices: NoticeWords = {
  ...agentNotices,
  reaches_host: (...paths) => `Пропущено, так как могло бы достать сам узел: ${paths.join(", ")}`,
  on_loopback:
    "Слушает только на внутреннем адресе узла (127.0.0.1), и к нему ничего не ведёт: подписки его не содержат.",
  relapsing: "Агент продолжает сообщать не ту конфигурацию, которую принял. Сверка повторяется всё реже.",
  clock_ahead: (seconds) =>
    `Часы узла спешат относительно панели на ${roughSpan(seconds, "ru")}. Настройте время (NTP).`,
  clock_behind: (seconds) => `Часы узла отстают от панели на ${roughSpan(seconds, "ru")}. Настройте время (NTP).`,
  ledgers: (most) => `Узел начал за сутки журналов расхода: ${most}. Расход следующего пока не принимается.`,
  more: (warnings) => `Ещё предупреждений: ${warnings}. Они в журнале агента.`,
  agent_too_old: (key) => `Пропущено, так как агент узла слишком старый для этого: ${key}. Обновите агент.`,
  usage_refused:
    "Часть расхода, о котором узел сообщил за последние сутки, отклонена. Какая — в списке отклонённого расхода.",
};
