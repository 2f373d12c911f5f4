// What a panel and a local agent's net keeper say to each other. The keeper learns from the panel alone which ports its
// agent's node serves.
import { z } from "zod";

const Port = z.int().min(1).max(65_535);
/** Every port that clients of the node may dial. */
const ports = z.array(Port).max(65_535);

/** From the panel. `serve` comes with the socket on which the agent asks. */
export const PanelWord = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("serve"), ports }),
  z.strictObject({ type: z.literal("ports"), ports }),
]);
export type PanelWord = z.infer<typeof PanelWord>;

/** From the keeper: it is told the ports as they are now. */
export const KeeperWord = z.strictObject({ type: z.literal("ports?") });
export type KeeperWord = z.infer<typeof KeeperWord>;
