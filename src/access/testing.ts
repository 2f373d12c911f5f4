// What tests use of this room, and no other room does.
export { openAccess, type Access, type AccessDeps } from "./access.ts";
export { accessEntities, accessPorts, accessRoutes } from "./routes.ts";
