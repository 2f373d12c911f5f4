// Light, dark, or as the device says.
import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { useWords } from "../words/words.ts";
import { kept } from "../browser/use-kept.ts";

const SCHEMES = [
  { value: "light", Icon: IconSun },
  { value: "dark", Icon: IconMoon },
  { value: "auto", Icon: IconDeviceDesktop },
] as const;

export function ThemeSwitch({ labelled }: { readonly labelled?: boolean }) {
  const { themes, account } = useWords("shell");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label={account.theme}
      value={colorScheme}
      onChange={(value) => {
        setColorScheme(value);
        kept.set("theme", value);
      }}
      data={SCHEMES.map(({ value, Icon }) => ({
        value,
        label: labelled ? (
          themes[value]
        ) : (
          <span title={themes[value]} style={{ display: "flex", paddingBlock: 2 }}>
            <Icon size={15} aria-hidden />
            <VisuallyHidden>{themes[value]}</VisuallyHidden>
          </span>
        ),
      }))}
    />
  );
}
