// What tests use of this room, and no other room does.
export { settingsRoutes } from "./settings/settings.routes.ts";
export { systemEntities } from "./entities.ts";
