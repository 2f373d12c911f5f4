// What tests use of the way out besides.
export { type ConnectRequest, type Proxy } from "./connect.ts";
export { dial } from "./dial.ts";
export { type StreamRequest } from "./fetch.ts";
