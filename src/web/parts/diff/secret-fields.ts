// Which fields hold what nobody should read over a shoulder. The panel itself leaves out what a reader may not see:
// this keeps the rest off screens that are looked at together.

/** Names as they are on the wire, in either spelling (`privateKey`, `private_key`). */
const SECRET =
  /^(password|passphrase|secret|token|privateKey|sharedKey|preSharedKey|secretKey|clientSecret|clientKey|authKey|apiKey|authStr|auth|totp|recoveryCodes?|authorization|proxyAuthorization|cookie|credentials?|subId)$/;
/** Names of the blocks whose `key` is secret, such as `tls` or `ech`. */
const KEY_OF = /^(tls|ech|certificate)$/;

/** Whether the field at `path` holds a password, a private key or what is worth as much. */
export function isSecretField(path: readonly string[]): boolean {
  return path.some((name, depth) => {
    const plain = name.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return SECRET.test(plain) || (plain === "key" && KEY_OF.test(path[depth - 1] ?? ""));
  });
}
