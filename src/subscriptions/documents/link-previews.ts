// Programs that open every link that somebody writes: messengers that show a preview, and crawlers. They are no
// customer's, and what they fetch was not fetched by anybody (rule subscriptions.fetch.5).

/** Names that stand anywhere in `User-Agent`, in small letters. Some claim to be others as well. */
const NAMED = [
  "telegrambot",
  "facebookexternalhit",
  "facebot",
  "facebookcatalog",
  "meta-externalagent",
  "meta-externalfetcher",
  "slackbot",
  "slack-imgproxy",
  "discordbot",
  "vkshare",
  "vkrobot",
  "twitterbot",
  "linkedinbot",
  "skypeuripreview",
  "bingpreview",
  "microsoftpreview",
  "google-pagerenderer",
  "google-inspectiontool",
  "googlebot",
  "google-safety",
  "bingbot",
  "yandexbot",
  "mail.ru_bot",
  "odklbot",
  "applebot",
  "pinterestbot",
  "redditbot",
  "embedly",
  "iframely",
  "kakaotalk-scrap",
  "line-poker",
  "zalobot",
  "balebot",
  "eitaabot",
  "rubikabot",
  "mattermost-bot",
  "rocket.chat",
  "nextcloud server crawler",
  "synapse (bot",
  "cardyb",
  "w3c_validator",
  "snapchatads",
  "snap url preview",
];

/** Names of apps that also have a browser of their own, which begins as every browser does. */
const FIRST = ["whatsapp", "viber"];

/** The page about itself that a crawler names; no program of a customer does. */
const ABOUT_ITSELF = /\+https?:\/\/|\bcompatible;[^)]*bot\b/;

/** Whether a request is of a program that looks at links for others. */
export function isLinkPreview(userAgent: string): boolean {
  const text = userAgent.toLowerCase();
  return (
    NAMED.some((name) => text.includes(name)) || FIRST.some((name) => text.startsWith(name)) || ABOUT_ITSELF.test(text)
  );
}
