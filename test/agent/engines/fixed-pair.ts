// A certificate that is the same in every run, so that configurations with it can be compared: for w.test, valid for a
// hundred years, trusted by nobody.

export const fixedPair = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBkjCCATigAwIBAgIUXi+sejKLdDwLAuMoNSgBWkJI5V8wCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGdy50ZXN0MCAXDTI2MTEyMjIzMjI1NloYDzIxMjYxMDI5MjMy
MjU2WjARMQ8wDQYDVQQDDAZ3LnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAT/5Q5ch+rdrYGskjqIkwmy4bW3P6CQ55uD/K+iHTouCzo10WxVyfFUr0O4e1Hh
+cCTrs6WktjGSuqugiZFIldUo2wwajAdBgNVHQ4EFgQUGR0g8Qgmd+I1sXa2w7H4
bx9XTNYwHwYDVR0jBBgwFoAUGR0g8Qgmd+I1sXa2w7H4bx9XTNYwDwYDVR0TAQH/
BAUwAwEB/zAXBgNVHREEEDAOggZ3LnRlc3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAw
RQIgZFkDt+t5gZiy1U/63iCJQTaCl5cTHtY13I3lQeZk6wUCIQCheYITfSd22EUr
uS9x5pEtPwjjYJeKnv7ACLDsrllprg==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzLUGYm6rlvs8Ziaq
eHtaX/BcnjtH7v2584qKgCDmxCmhRANCAAT/5Q5ch+rdrYGskjqIkwmy4bW3P6CQ
55uD/K+iHTouCzo10WxVyfFUr0O4e1Hh+cCTrs6WktjGSuqugiZFIldU
-----END PRIVATE KEY-----`,
};

/** `value` as the text of a golden file, with the lines of PEM blocks after the first left out. */
export function goldenText(value: unknown): string {
  const isPem = (item: unknown): item is string[] =>
    Array.isArray(item) && typeof item[0] === "string" && item[0].startsWith("-----BEGIN ");
  return `${JSON.stringify(value, (_, item: unknown) => (isPem(item) ? [`${item[0]}…`] : item), 2)}\n`;
}
