import { expect, it } from "vitest";
import { parseShim } from "../../src/process/shim-windows.js";

const node = "C:\\node\\node.exe";

it("finds the script that npm's shim starts", () => {
  const shim = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0
IF EXIST "%dp0%\\node.exe" (
  SET "_prog=%dp0%\\node.exe"
) ELSE (
  SET "_prog=node"
)
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@scope\\agent\\cli.js" %*
`;
  expect(parseShim("C:\\npm\\agent.cmd", shim, node)).toEqual({
    path: node,
    leadingArgs: ["C:\\npm\\node_modules\\@scope\\agent\\cli.js"],
  });
});

it("finds the program that a shim starts", () => {
  const shim = '@"%~dp0\\..\\agent\\bin\\agent.exe" %*\r\n';
  expect(parseShim("C:\\npm\\bin\\agent.cmd", shim, node)).toEqual({
    path: "C:\\npm\\agent\\bin\\agent.exe",
    leadingArgs: [],
  });
});

it("does not guess at other batch files", () => {
  expect(parseShim("C:\\x.bat", "echo %*\n", node)).toBeUndefined();
});
