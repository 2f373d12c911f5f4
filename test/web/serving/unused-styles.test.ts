// Which rules of the component library's sheet a build leaves out.
import { expect, test } from "vitest";
import { prune } from "../../../src/web/vite/unused-styles.ts";

const used = new Set(["m_a1", "m_b2"]);

test.each([
  ["a rule of a component that is used stays", ".m_a1{color:red}", ".m_a1{color:red}"],
  ["one of a component that is not goes", ".m_c3{color:red}.m_a1{x:y}", ".m_a1{x:y}"],
  ["of a list the selectors that can match stay", ".m_c3,.m_a1:hover,.m_a1 .m_c3{color:red}", ".m_a1:hover{color:red}"],
  [
    "conditions are looked into and go when they are empty",
    "@media (width>=1px){.m_c3{a:b}}@media print{.m_c3{a:b}.m_b2{a:b}}",
    "@media print{.m_b2{a:b}}",
  ],
  [
    "alternatives in parentheses decide nothing",
    ":where(.m_c3,.m_d4) .m_a1{a:b}.m_a1:not(.m_c3){a:b}",
    ":where(.m_c3,.m_d4) .m_a1{a:b}.m_a1:not(.m_c3){a:b}",
  ],
  [
    "what is no rule of the library stays",
    '@charset "x;{";:root{--a:1}@keyframes m_k{0%{a:b}}.own{a:b}',
    '@charset "x;{";:root{--a:1}@keyframes m_k{0%{a:b}}.own{a:b}',
  ],
  [
    "strings and escapes hide their marks",
    '.m_a1{content:"}{"}.m_c3{content:"\\"}"}.sm\\:x{a:b}',
    '.m_a1{content:"}{"}.sm\\:x{a:b}',
  ],
])("%s", (_name, css, kept) => {
  expect(prune(css, used)).toBe(kept);
});
