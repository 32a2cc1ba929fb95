/** Removes from a text of a run everything that is specific to the machine. */
export function neutralizer(agent, scenario, { home, workspace, modelUrl, programDirectory, root }) {
  const names = [
    [workspace, `/workspace/${agent}-${scenario}`],
    [home, `/home/${agent}`],
    [programDirectory, `/opt/${agent}`],
    [root, `/tmp/${agent}-${scenario}`],
    [modelUrl.replace("http://", ""), "127.0.0.1:18000"],
  ];
  // The same paths in the form that agents use in names of folders (`-tmp-harness-real-x`).
  const dashed = names
    .slice(0, 2)
    .map(([from, to]) => [from.replaceAll(/[^A-Za-z0-9]/g, "-"), to.replaceAll("/", "-")]);
  // Kilo writes paths relative to the root of the file system.
  const unrooted = names.slice(0, 2).map(([from, to]) => [from.slice(1), to.slice(1)]);
  return (text) =>
    [...names, ...dashed, ...unrooted].reduce((result, [from, to]) => result.replaceAll(from, to), text);
}
