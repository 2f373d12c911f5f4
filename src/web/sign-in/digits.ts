// Codes as people type them: with spaces, and in the digits of their keyboard.

/** Persian and Arabic digits as the panel reads them; whatever is no digit is left out. */
export function plainDigits(text: string): string {
  return text
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/\D/g, "");
}
