// How sockets are opened: the listen and dial fields of the stored dialect as Xray's `sockopt`.
import { z } from "zod";
import { milliseconds } from "./words.ts";

/**
 * Fields that inbounds and outbounds share. Those that only tune, and that Xray has nothing for, are taken and not
 * used.
 */
export const socketShape = {
  reuse_addr: z.boolean().optional(),
  tcp_fast_open: z.boolean().optional(),
  tcp_multi_path: z.boolean().optional(),
  disable_tcp_keep_alive: z.boolean().optional(),
  tcp_keep_alive: z.string().optional(),
  tcp_keep_alive_interval: z.string().optional(),
  udp_fragment: z.boolean().optional(),
  udp_timeout: z.unknown().optional(),
};
const Socket = z.object(socketShape);

/** Empty when nothing is asked for. `more`: further options of the same block. */
export function socketOptions(
  fields: z.infer<typeof Socket>,
  more: Record<string, unknown> = {},
): { sockopt?: Record<string, unknown> } {
  const seconds = (duration: string, field: string): number =>
    Math.max(1, Math.round(milliseconds(duration, field) / 1000));
  const sockopt = {
    ...(fields.tcp_fast_open === true && { tcpFastOpen: true }),
    ...(fields.tcp_multi_path === true && { tcpMptcp: true }),
    ...(fields.disable_tcp_keep_alive === true && { tcpKeepAliveIdle: -1 }),
    ...(fields.tcp_keep_alive !== undefined && { tcpKeepAliveIdle: seconds(fields.tcp_keep_alive, "tcp_keep_alive") }),
    ...(fields.tcp_keep_alive_interval !== undefined && {
      tcpKeepAliveInterval: seconds(fields.tcp_keep_alive_interval, "tcp_keep_alive_interval"),
    }),
    ...more,
  };
  return Object.keys(sockopt).length === 0 ? {} : { sockopt };
}
