// Which device the visitor holds, as their browser says it.

export const PLATFORMS = ["ios", "android", "windows", "macos", "linux"] as const;
export type Platform = (typeof PLATFORMS)[number];

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = {
  ios: "iPhone, iPad",
  android: "Android",
  windows: "Windows",
  macos: "macOS",
  linux: "Linux",
};

const SIGNS: readonly (readonly [RegExp, Platform])[] = [
  [/iPhone|iPad|iPod/, "ios"],
  [/Android/, "android"],
  [/Windows/, "windows"],
  // A tablet of Apple says the same as a desk computer; the page's script can tell them apart.
  [/Macintosh|Mac OS X/, "macos"],
  [/Linux|X11|CrOS/, "linux"],
];

/** The platform of a browser's `User-Agent`; phones where it says nothing. */
export function platformOf(userAgent: string): Platform {
  const text = userAgent.slice(0, 512);
  return SIGNS.find(([sign]) => sign.test(text))?.[1] ?? "android";
}
