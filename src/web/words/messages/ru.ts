// Why a node is not served, in Russian.
import type { CauseWords, HereWords } from "../../../fleet/records/cause.schema.ts";

export const messages: CauseWords & { readonly here: HereWords } = {
  /** The same of an address of this machine: no other machine and no firewall stands in between. */
  here: {
    connection_refused: (address) => `${address} не принимает соединений: на этой машине агент там не запущен.`,
    timed_out: (address) => `${address} не отвечает: процесс агента на этой машине остановлен или завис.`,
    connection_cut: (address) =>
      `${address} сразу закрывает соединение: возможно, порт занят другой программой этой машины.`,
  },
  connection_refused: (address) =>
    `${address} не принимает соединений: агент там не запущен или мешает межсетевой экран.`,
  timed_out: (address) => `${address} не отвечает: сервер выключен или межсетевой экран не пропускает.`,
  no_route: (address) => `Нет маршрута до ${address}.`,
  unknown_name: (host) => `Имя ${host} не разрешается в адрес.`,
  connection_cut: (address) => `${address} сразу закрывает соединение: возможно, там отвечает не агент.`,
  other_program: (address, status) => `По адресу ${address} отвечает не агент (HTTP ${status}).`,
  unreachable: (address, cause) => `${address} недоступен: ${cause}`,
  no_greeting: (seconds) => `Агент не ответил за ${seconds} с.`,
  late_configuration: "Агент не принял конфигурацию вовремя.",
  not_taken: (cause) => `Конфигурация не принята: ${cause}`,
  silent: (count) => `Агент замолчал: пропущено сигналов: ${count}.`,
  not_connected: "Агент не подключён.",
  no_answer: (seconds) => `Агент не ответил на запрос за ${seconds} с.`,
  unsupported: "Движок узла этого не умеет.",
  misbehaved: (count, last) =>
    `Агент прислал неверных сообщений: ${count}; каждая новая попытка связи делается позже. Последнее: ${last}`,
  ended: (reason) => `Соединение завершилось (${reason}).`,
  no_agent:
    "По адресу узла не отвечает ни один агент этой панели. Почему, видит тот, кому разрешено устанавливать агенты.",
  no_certificate: "Агент не предъявил сертификата.",
  off: "Выключен.",
  limit: "Лимит трафика за период исчерпан.",
  duplicate: (_holder, name, address) => `Этот агент уже обслуживает ${name} (${address}).`,
  licence: "Узлов больше, чем допускает лицензия.",
  failed: (why) => why,
  mismatched: (presented, saved) => `Отвечает не сохранённый ключ: ${presented} вместо ${saved}.`,
};
