// Words of nodes, in Russian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/ru.ts";

export const titles: Typed<typeof english.titles> = {
  nodes: "Узлы",
  firstNode: "Первые шаги",
  newNode: "Добавить узел",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  node_health_retention_days: "Сколько дней хранить состояние узлов",
  ip_limit_newest: "При превышении лимита адресов обслуживается самый новый адрес",
  alert_disk_percent: "Диск заполнен более чем на, %",
  alert_memory_percent: "Память занята более чем на, %",
  alert_rejected_per_hour: "Отклонённых соединений в час",
};

export const families: Typed<typeof english.families> = { node: "Узлы" };

export const raised: Typed<typeof english.raised> = {
  "node.connected": "на связи",
  "node.disconnected": "связь потеряна",
  "node.limit_reached": "лимит трафика исчерпан, узел выключен",
  "node.usage_refused": "трафик отклонён: узел сообщил о том, чего не мог передать",
  "node.disk_high": "диск почти заполнен",
  "node.disk_recovered": "место на диске снова есть",
  "node.memory_high": "память почти заполнена",
  "node.memory_recovered": "свободная память снова есть",
  "node.rejections_high": "много отклонённых соединений",
};

export const subjects: Typed<typeof english.subjects> = {
  nodes: "Узел",
};

export const actions: Typed<typeof english.actions> = {
  sync: "конфигурация сверена и отправлена",
  reconnect: "запрошено новое соединение",
  repin: "новому ключу доверено",
  move: "перенесено на другой сервер",
};

export const refusals: Typed<typeof english.refusals> = {
  node_off: "Узел выключен: вручную, из-за лимита трафика или лицензии.",
  node_on: "Адрес включённого узла меняется только при переносе.",
  agent_taken: "Этот адрес и порт есть у другого включённого узла.",
};

export const actors: Typed<typeof english.actors> = {
  node: {
    name: "Узлы",
    states: {
      deciding: "Проверяется, должен ли узел работать; длится один шаг.",
      disabled: "Узел не работает: его выключил человек, лимит трафика или лицензия.",
      "disabled.manual": "Узел выключил человек.",
      "disabled.limit": "Лимит трафика за период исчерпан; узел вернётся с новым периодом или большим лимитом.",
      "disabled.licence": "Узел не входит в лицензию; он вернётся с лицензией побольше.",
      linked: "Узел должен работать: соединение с агентом есть или устанавливается.",
      "linked.connecting": "Соединение устанавливается: сначала вызов агента, затем передача конфигурации.",
      "linked.connecting.dialing": "Вызов агента: TLS, проверка ключа, приветствие.",
      "linked.connecting.syncing": "Агент принимает конфигурацию.",
      "linked.connected": "Агент отвечает и выполняет всё, что нужно, кроме указанного в предупреждениях.",
      "linked.refused": "Агент отвечает, но его движок не принимает конфигурацию; прежнее продолжает работать.",
      "linked.refused.waiting": "Движок отклонил конфигурацию; его спросят позже, а при её изменении — сразу.",
      "linked.refused.trying": "Движок ещё раз спрашивают, примет ли он конфигурацию.",
      restarting: "Соединение заменяется новым; длится один шаг.",
      error: "У узла нет связи с агентом; последняя конфигурация продолжает там работать.",
      "error.waiting": "Агент не ответил; следующая попытка назначена.",
      "error.duplicate":
        "Ответивший агент обслуживает другой узел и остаётся за ним; следующая проверка назначена, а если тот узел его отпустит, она будет сразу.",
      "error.mismatched":
        "Ответивший агент предъявляет не тот ключ, что сохранён; панель ждёт, пока новому ключу станут доверять или узел перенесут.",
    },
    events: {
      due: "подошёл лимит или период",
      edited: "изменены настройки",
      "link.lost": "агент недоступен",
      "link.mismatched": "ответил другой ключ",
      "link.refused": "движок отклонил конфигурацию",
      "link.duplicate": "агент обслуживает другой узел",
      "link.freed": "агент освободился",
      "link.opened": "агент ответил",
      "link.synced": "агент принял конфигурацию",
      "link.warned": "изменились предупреждения",
      moved: "перенесён на другой сервер",
      reconnect: "запрошено новое соединение",
      repinned: "новому ключу доверяют",
      switchOff: "выключен",
      switchOn: "включён",
    },
    dues: { "disabled.limit": "достигнут лимит трафика", "disabled.licence": "не входит в лицензию" },
    deadlines: {
      dialDeadline: "агент не ответил вовремя",
      syncDeadline: "агент не принял конфигурацию вовремя",
      backoff: "пора повторить попытку",
    },
    effects: { link: "соединение с агентом", turn: "ожидание агента" },
    guards: {
      off: "выключен вручную",
      limited: "лимит трафика исчерпан",
      unlicensed: "не входит в лицензию",
      mayRun: "ничто не мешает работе",
    },
  },
};
