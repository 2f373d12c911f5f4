// Why a node is not served, in Russian.
import type { Typed } from "../language.ts";
import type { messages as english } from "./en.ts";

export const messages: Typed<typeof english> = {
  refused: (address) => `${address} не принимает соединений: агент там не запущен или мешает межсетевой экран.`,
  silent: (address) => `${address} не отвечает: сервер выключен или межсетевой экран не пропускает.`,
  noRoute: (address) => `Нет маршрута до ${address}.`,
  unknownName: (host) => `Имя ${host} не разрешается в адрес.`,
  cut: (address) => `${address} сразу закрывает соединение: возможно, там отвечает не агент.`,
  otherProgram: (address, status) => `По адресу ${address} отвечает не агент (HTTP ${status}).`,
  unreachable: (address, cause) => `${address} недоступен: ${cause}`,
  noGreeting: (seconds) => `Агент не ответил за ${seconds} с.`,
  lateConfiguration: "Агент не принял конфигурацию вовремя.",
  notTaken: (cause) => `Конфигурация не принята: ${cause}`,
  heartbeats: (count) => `Агент замолчал: пропущено сигналов: ${count}.`,
  wrongMessages: (count, last) =>
    `Агент прислал неверных сообщений: ${count}; каждая новая попытка связи делается позже. Последнее: ${last}`,
  ended: "Соединение завершилось.",
  endedWith: (reason) => `Соединение завершилось (${reason}).`,
  noCertificate: "Агент не предъявил сертификата.",
  off: "Выключен.",
  limit: "Лимит трафика за период исчерпан.",
  duplicate: (name, address) => `Этот агент уже обслуживает ${name} (${address}).`,
  licence: "Узлов больше, чем допускает лицензия.",
};
