import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithRedis, type RedisServer, startRedis } from "../queue/support/redis-server.js";
import { fakeProject } from "./fake-agent.js";
import { harness, startHarness, temporaryDirectory } from "./harness.js";

it("a queue that cannot be reached is an error, for batches and workers", async () => {
  const project = await fakeProject();
  writeFileSync(
    join(project, "plan.toml"),
    '[[tasks]]\nid = "a"\nprompt = "say hi"\n[[arms]]\nagent = "fake"\n',
  );
  const url = "redis://127.0.0.1:1";
  const env = { XDG_DATA_HOME: temporaryDirectory() };
  for (const args of [["worker"], ["batch", "plan.toml"]]) {
    const { stderr, exitCode } = await harness([...args, "--queue", url], { cwd: project, env });
    expect(stderr).toContain("redis://127.0.0.1:1 cannot be used as a queue");
    expect(exitCode).toBe(2);
  }
  expect((await harness(["worker"])).stderr).toContain("'--queue <url>' not specified");
  expect((await harness(["batch", "plan.toml", "--shelf", "x"], { cwd: project })).stderr).toContain(
    "--shelf is for --queue",
  );
});

describeWithRedis("harness worker", () => {
  let redis: RedisServer;
  let project = "";
  const env = { XDG_DATA_HOME: temporaryDirectory() };

  beforeAll(async () => {
    redis = await startRedis();
    project = await fakeProject();
    writeFileSync(
      join(project, "plan.toml"),
      `repeats = 2
[[tasks]]
id = "a"
prompt = "write answer 42; say hi"
check = "grep -q 42 answer"
[[arms]]
agent = "fake"
[[arms]]
agent = "other"
`,
    );
  });
  afterAll(() => redis.close());

  it("takes the cells of a batch, says which agents it has, and ends on SIGTERM", async () => {
    const worker = startHarness(
      ["worker", "--queue", redis.url, "--agents", "fake,other", "--name", "one", "--concurrency", "2"],
      { cwd: project, env },
    );
    await worker.says("Stop with");
    const batch = await harness(["batch", "plan.toml", "--queue", redis.url], { cwd: project, env });
    expect(batch.stdout.toString()).toMatch(/^batch \S+: 4 runs .*, on the workers of the queue\n/);
    expect(batch.stdout.toString().match(/✓ passed {2}a, \w+, run \d {2}.* on one\n/g)).toHaveLength(4);
    expect(batch.exitCode).toBe(0);
    worker.child.kill("SIGTERM");
    const { stdout, stderr, exitCode } = await worker.ended;
    expect(stdout.toString()).toMatch(/^worker one: 2 runs at once, takes cells of fake .*, other /);
    expect(stderr).toContain("stopping: no run is under way");
    expect(exitCode).toBe(0);
    const runs = await harness(["sessions", "list", "--all", "--json"], { env });
    expect(JSON.parse(runs.stdout.toString())).toHaveLength(4);
  });

  it("has the address of the queue from the environment, which no run inherits", async () => {
    const own = { ...env, HARNESS_QUEUE: redis.url };
    const plan = join(project, "secret.toml");
    writeFileSync(
      plan,
      '[[tasks]]\nid = "a"\nprompt = "say hi"\ncheck = "test -z \\"$HARNESS_QUEUE\\""\n[[arms]]\nagent = "fake"\n',
    );
    const worker = startHarness(["worker", "--agents", "fake"], { cwd: project, env: own });
    await worker.says("Stop with");
    const batch = await harness(["batch", plan], { cwd: project, env: own });
    expect(batch.stdout.toString()).toMatch(/^batch \S+: 1 run .*, on the workers of the queue\n/);
    expect(batch.stdout.toString()).toContain("✓ passed");
    worker.child.kill("SIGTERM");
    expect((await worker.ended).exitCode).toBe(0);
    const none = await harness(["worker"], { cwd: project, env: { ...env, HARNESS_QUEUE: "" } });
    expect(none.stderr).toContain("set HARNESS_QUEUE");
    expect(none.exitCode).toBe(2);
  });

  it("ends soon after SIGTERM although the server is gone", async () => {
    const server = await startRedis();
    const worker = startHarness(["worker", "--queue", server.url, "--agents", "fake"], { cwd: project, env });
    await worker.says("Stop with");
    await server.close();
    const since = Date.now();
    worker.child.kill("SIGTERM");
    expect((await worker.ended).exitCode).toBe(0);
    expect(Date.now() - since).toBeLessThan(15_000);
  });

  it("refuses an agent that does not exist", async () => {
    const { stderr, exitCode } = await harness(["worker", "--queue", redis.url, "--agents", "fak"], {
      cwd: project,
      env,
    });
    expect(stderr).toContain('unknown agent "fak"; did you mean "fake"?');
    expect(exitCode).toBe(2);
  });
});
