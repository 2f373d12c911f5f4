// The theme: one accent, calm surfaces, contrast that passes in both schemes. The colours' meaning is in tokens.css.
import { createTheme } from "@mantine/core";

export const theme = createTheme({
  fontFamily: "'Inter Variable', 'Vazirmatn Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 5 },
  autoContrast: true,
  defaultRadius: "md",
  radius: { xs: "3px", sm: "5px", md: "7px", lg: "10px", xl: "14px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  colors: {
    accent: [
      "#f0f0fd",
      "#e0e1fa",
      "#c3c5f5",
      "#a2a6ff",
      "#8186ec",
      "#5a60d8",
      "#4348c7",
      "#383cae",
      "#2e3190",
      "#262873",
    ],
    // Mantine's own greys of the dark scheme, from text to the deepest surface.
    dark: [
      "#e7e9ee",
      "#c6cbd4",
      "#a4acba",
      "#8a92a1",
      "#3b414c",
      "#262a32",
      "#1b1e25",
      "#16181e",
      "#0f1115",
      "#0b0d10",
    ],
    gray: [
      "#f7f8fa",
      "#f0f2f5",
      "#e4e7ec",
      "#d5d9e0",
      "#c8cdd6",
      "#a3aab7",
      "#7b8392",
      "#596070",
      "#3b414d",
      "#22262e",
    ],
  },
  // By name: naming the components themselves would load the code of all of them with the first page.
  components: {
    Badge: { defaultProps: { tt: "none" }, styles: { label: { fontWeight: 600 } } },
    Button: { defaultProps: { size: "sm" }, styles: { label: { fontWeight: 550 } } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Card: {
      defaultProps: { withBorder: true, radius: "lg", padding: "md" },
      styles: { root: { background: "var(--surface)", borderColor: "var(--line)" } },
    },
    Paper: { styles: { root: { background: "var(--surface)", borderColor: "var(--line)" } } },
    InputWrapper: { styles: { label: { marginBlockEnd: 3 } } },
    Modal: { defaultProps: { centered: true, radius: "lg", overlayProps: { backgroundOpacity: 0.4, blur: 2 } } },
    PasswordInput: { defaultProps: { size: "sm", visibilityToggleFocusable: true } },
    Table: { defaultProps: { verticalSpacing: "xs", highlightOnHover: true } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true } },
  },
});
