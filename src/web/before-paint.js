// Sets the colour scheme that was chosen here before anything is painted. Runs before the styles and everything else.
try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
} catch {
  // Without storage the styles go by the system alone.
}
