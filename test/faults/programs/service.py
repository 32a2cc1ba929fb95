# A service that runs before the agent and receives its output. Arguments: "serve" or "hand", and the path of a socket.
# "serve": waits for an output and keeps it open. "hand": passes its own output to the service.
import os, socket, sys, time

role, path = sys.argv[1], sys.argv[2]
if role == "serve":
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
    print("up", flush=True)
    os.close(1)
    connection, _ = server.accept()
    held = socket.recv_fds(connection, 1, 1)
    connection.sendall(b"x")
    time.sleep(300)
else:
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    socket.send_fds(client, [b"x"], [1])
    client.recv(1)
