// Digits of other scripts.

/** Persian and Arabic digits as ASCII ones: people type what their keyboard has. */
export function latinDigits(typed: string): string {
  return typed
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));
}
