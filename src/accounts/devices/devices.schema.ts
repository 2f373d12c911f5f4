// Devices and requests as the API shows them.
import { z } from "zod";
import { count, unixTime } from "../../http/index.ts";

export const UserDeviceView = z
  .object({
    hwid: z.string().describe("what the device calls itself"),
    platform: z.string().describe("the operating system, as the device says"),
    osVersion: z.string().describe("the version of it"),
    model: z.string().describe("the model, as the device says"),
    userAgent: z.string(),
    ip: z.string(),
    firstSeenAt: unixTime.describe("Unix seconds of its first fetch"),
    lastSeenAt: unixTime,
  })
  .meta({ id: "UserDevice" });

export const ForgottenDevices = z
  .object({ forgotten: count.describe("devices that had a place") })
  .meta({ id: "ForgottenDevices" });

export const SubRequestView = z
  .object({
    at: unixTime,
    ip: z.string(),
    userAgent: z.string(),
    format: z.string(),
    hwid: z.string(),
    status: count.describe("the status that was answered"),
  })
  .meta({ id: "SubRequest" });
