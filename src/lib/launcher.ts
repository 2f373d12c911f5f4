// The launcher, `bin/node24.mjs`, under which a command may run: it passes signals on, but its own kill it cannot.

const WATCH_MS = 250;

/** Resolves when the launcher of this process was killed. Never, when there is none. */
export function launcherGone(): Promise<"abandoned"> {
  const launcher = process.ppid;
  if (process.env["SIGNALBOX_LAUNCHER"] !== String(launcher)) return new Promise(() => {});
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (process.ppid === launcher) return;
      clearInterval(watch);
      resolve("abandoned");
    }, WATCH_MS);
    watch.unref();
  });
}
