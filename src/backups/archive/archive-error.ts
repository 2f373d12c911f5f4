// Why an archive is not taken. The code is the wire's (`BackupError`); the message is for whoever reads it.

export type ArchiveErrorCode = "format" | "encrypted" | "passphrase";

/**
 * `format`: it is no archive of ours, it was altered, or it ends early. `encrypted`: it needs a passphrase.
 * `passphrase`: the passphrase is another one.
 */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The archive is no archive, or not what it was. */
export function malformed(message: string, cause?: unknown): ArchiveError {
  return new ArchiveError("format", message, cause === undefined ? undefined : { cause });
}
