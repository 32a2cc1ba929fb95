import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { workerCommand } from "../../src/cli/worker/command.js";

const folder = fileURLToPath(new URL("../../examples/scale/", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The documents of a YAML file. PyYAML is a complete parser that Debian has. */
const load = "import json,sys,yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))";
const hasYaml = spawnSync("python3", ["-c", "import yaml"]).status === 0;
if (!hasYaml) console.warn("SKIPPED: the deploy files are not checked, because python3 has no yaml module");

function documentsOf(name: string) {
  const { stdout, stderr } = spawnSync("python3", ["-c", load, `${folder}${name}`], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const program = new Command();
workerCommand(program, () => {});
const optionNames = program.commands[0]?.options.map(({ long }) => long);

/** The arguments of a worker must be options that it has. Returns their values. */
function checkedArguments([command, ...args]: string[]): Record<string, string | undefined> {
  expect(command).toBe("worker");
  const names = args.filter((_, index) => index % 2 === 0);
  for (const name of names) expect(optionNames).toContain(name);
  return Object.fromEntries(names.map((name, index) => [name, args[2 * index + 1]]));
}

describe.skipIf(!hasYaml)("the Compose file", () => {
  const [compose] = hasYaml ? documentsOf("compose.yaml") : [{}];

  it("starts workers with options that they have, after the server", () => {
    const { worker, redis } = compose.services;
    const { "--drain": drain } = checkedArguments(worker.command);
    expect(worker.environment).toHaveProperty("HARNESS_QUEUE");
    expect(Number.parseInt(worker.stop_grace_period, 10)).toBeGreaterThan(Number(drain));
    expect(Object.keys(worker.depends_on)).toEqual(["redis"]);
    expect(redis.command).toEqual(expect.arrayContaining(["--requirepass", "noeviction"]));
  });

  it("opens the server on the loopback interface only, and declares every volume", () => {
    const { redis } = compose.services;
    for (const port of redis.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of redis.volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
  });
});

describe.skipIf(!hasYaml)("the Kubernetes manifests", () => {
  const documents: Record<string, unknown>[] = hasYaml ? documentsOf("kubernetes.yaml") : [];
  const kinds = [
    ["apps/v1", "Deployment"],
    ["v1", "PersistentVolumeClaim"],
    ["batch/v1", "Job"],
  ];
  // biome-ignore lint/suspicious/noExplicitAny: what a file says has no type
  const [deployment, claim, job]: any[] = documents;

  it("are a Deployment of workers, and a batch as a Job", () => {
    expect(documents.map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual(kinds);
  });

  it("the Deployment finds its own pods, and its workers have options that they have", () => {
    const { selector, template } = deployment.spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    const [container] = template.spec.containers;
    const { "--drain": drain } = checkedArguments(container.args);
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(drain));
  });

  it("every variable and every volume that is used is declared, and nothing runs as root", () => {
    for (const { spec } of [deployment.spec.template, job.spec.template]) {
      const [container] = spec.containers;
      const declared = container.env.map(({ name }: { name: string }) => name);
      const text = JSON.stringify([container.args, container.command]);
      for (const [, name] of text.matchAll(/\$\(?([A-Z_]+)/g)) expect(declared).toContain(name);
      expect(declared).toContain("HARNESS_QUEUE");
      const volumes = spec.volumes.map(({ name }: { name: string }) => name);
      for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
      expect(spec.securityContext.runAsNonRoot).toBe(true);
      expect(container.image).toContain(`:${version}`);
    }
    const [data] = job.spec.template.spec.volumes;
    expect(data.persistentVolumeClaim.claimName).toBe(claim.metadata.name);
    expect(["OnFailure", "Never"]).toContain(job.spec.template.spec.restartPolicy);
  });

  it("has no key that Kubernetes does not know", () => {
    const known = {
      pod: [
        "automountServiceAccountToken",
        "containers",
        "restartPolicy",
        "securityContext",
        "terminationGracePeriodSeconds",
        "volumes",
      ],
      container: ["args", "command", "env", "image", "name", "resources", "securityContext", "volumeMounts"],
    };
    for (const { spec } of [deployment.spec.template, job.spec.template]) {
      expect(known.pod).toEqual(expect.arrayContaining(Object.keys(spec)));
      expect(known.container).toEqual(expect.arrayContaining(Object.keys(spec.containers[0])));
    }
  });
});

it("the image has a tarball of this package, and the packages of the queue", () => {
  const file = readFileSync(`${folder}Dockerfile`, "utf8");
  expect(file).toContain("/tmp/harness-stream-*.tgz bullmq@6 ioredis@6");
  expect(file).toMatch(/^USER node$/m);
});
