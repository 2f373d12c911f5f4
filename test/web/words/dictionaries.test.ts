// What holds for the texts of every language: nothing is dropped on the way from English, and each is written as its
// readers write.
import { expect, test } from "vitest";
import { en } from "../../../src/web/words/en.ts";
import { DICTIONARIES, textsOf } from "./dictionaries.ts";

const english = textsOf(en);
const places = (text: string) => [...text.matchAll(/⟨\d⟩/g)].map(([place]) => place).toSorted();
const translated = DICTIONARIES.filter(({ language }) => language !== "en");

test.each(DICTIONARIES)("$language has no empty text where English has one, and no space too many", ({ words }) => {
  const filled = new Set(english.filter(({ text }) => text !== "").map(({ key }) => key));
  const wrong = textsOf(words).filter(
    ({ key, text }) => (filled.has(key) && text === "") || text !== text.trim() || /\s{2,}/.test(text),
  );
  expect(wrong).toEqual([]);
});

// rule http.error.8
test.each(translated)("$language names everything that English names", ({ words }) => {
  const own = new Map(textsOf(words).map(({ key, text }) => [key, text]));
  const lost = english.filter(({ key, text }) => places(own.get(key) ?? "").join() !== places(text).join());
  expect(lost).toEqual([]);
});

/** Latin words that stand in every language: names of programs, protocols, formats and keys, and code. */
const FOREIGN =
  /`[^`]*`|\{\w+(?::\d)?\}|CSV|NDJSON|50GB|NTP|Unix|KiB|\bGB\b|UTF-8|JSON|Mbit\/s|TUIC|Hysteria|Shadowsocks|Trojan|CDN|WebSocket|ALPN|\u2066[^\u2069]*\u2069|SOCKS|UDP|DNS|QUIC|Sec-WebSocket-Protocol|X-Forwarded-For|xhttp|\bHost\b|CAP_NET_\w+|SIGNALBOX_\w+|signalbox\.|4a|ipLimit|2022-blake3-aes-\d+-gcm|with_grpc|\b(?:nft|uuid|inline|flow|vless|vision|socks|shadowsocks|shadowtls|httpupgrade|grpc|ws)\b|⟨\d⟩|Signalbox|Telegram|VLESS|REALITY|TCP|TLS( 1\.3)?|HTTP|https?|UUID|QR|IP|ID\b|API\b|Webhook|\/api\/v1|MiB|GiB|Xray|sing-box|Node 20|npm ci|systemd|panel\.pem|docs\/agent\.md|label\|address|Ctrl\+C|ACME|Happ|INCY|Agent|over|\/s3cret|\/name|@username|(?:Asia|Europe)\/\w+|SHA-256|X25519|RSA|PEM|base64(?:url)?|openid|data\.id|\bid\b|\/\.well-known\/|user\.\*|user:7|300ms|proxy|string|\bv(?=⟨)/g;

test.each(translated)("$language has no English left", ({ words }) => {
  const left = textsOf(words).filter(({ text }) => /[a-z]{2,}/i.test(text.replaceAll(FOREIGN, "")));
  expect(left).toEqual([]);
});

/** What a keyboard offers in place of the marks that a language writes. */
const TYPED: Readonly<Record<string, RegExp>> = {
  en: /"|\.\.\./,
  fa: /["“”]|\.\.\.|[يكى]|[٠-٩]|[A-Za-z]\s*;|[؀-ۿ]\s*[,;?]/,
  ru: /["“”]|\.\.\.|[а-яё] - [а-яё]/i,
  zh: /"|\.\.\.|[\u4e00-\u9fff]\s*[,;:?!]|[，。；：？！] /,
};

test.each(DICTIONARIES)("$language is written with its own marks", ({ language, words }) => {
  const wrong = textsOf(words).filter(({ text }) => TYPED[language]?.test(text));
  expect(wrong).toEqual([]);
});
