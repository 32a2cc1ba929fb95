# python3 session.py SERVER.json AGENT PROMPT: the same without any package
import json, sys, urllib.request

file, agent, prompt = sys.argv[1:]
server = json.load(open(file))

def call(method, path, body=None):
    headers = {"Authorization": "Bearer " + server["token"], "Accept": "application/x-ndjson"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(server["api"] + path, data, headers, method=method))

run = json.load(call("POST", "/sessions", {"agent": agent, "prompt": prompt, "permissions": "ask"}))["id"]
for line in call("GET", f"/runs/{run}/events"):
    event = json.loads(line)
    if event["type"] == "agent" and "role" not in event:
        print(event["message"])
    if event["type"] == "turn_end":
        call("POST", f"/runs/{run}/close")
    if event["type"] == "request":
        print(f"It asks for {event['name']}. This program allows only reading.")
        answer = {"requestId": event["requestId"], "answer": {"allow": event["name"] == "Read"}}
        call("POST", f"/runs/{run}/answers", answer)
report = json.load(call("GET", f"/runs/{run}"))["report"]
print(report["outcome"]["reason"], report.get("failure", {}).get("message") or report.get("costUsd"))
