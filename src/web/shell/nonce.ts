// The nonce that the panel gave this page load: styles added at run time carry it.

/** Empty where the page was served without a policy (a development server). */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}
