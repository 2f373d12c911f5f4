// `/healthz`: whether the panel can answer (rules process.health).

/** Whether the database answers within two seconds. */
export async function answers(ping: () => Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), 2000);
  const pinged = ping().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([pinged, late]);
  } finally {
    clearTimeout(timer);
  }
}
