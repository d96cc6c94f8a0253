// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A server in Python for the files of a folder, on the loopback interface: with and without
/// ranges, with a certificate that is not trusted, and with addresses that misbehave.
final class StreamServer {
  private let server: PythonServer

  var port: Int { server.port }

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - folder: the files to serve.
  ///   - certificate: a file with a certificate and its key; nil for plain HTTP.
  /// - Throws: `PythonServer.Failure` if it does not start.
  init(_ folder: ScratchFolder, certificate: String? = nil) throws {
    server = try PythonServer(
      Self.program, name: "server.py", in: folder, certificate.map { [$0] } ?? [])
  }

  private static let program = """
    import http.server, os, ssl, sys, time

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.split("?")[0].lstrip("/")
            with open(os.path.join(sys.argv[1], "requests.log"), "a") as log:
                log.write("%s %s\\n" % (self.path, self.headers.get("User-Agent")))
            if name.startswith("live-"):
                return self.send_station(name[5:])
            if name == "ring":
                self.send_response(302)
                self.send_header("Location", "/ring")
                self.send_header("Content-Length", "0")
                return self.end_headers()
            early = name.startswith("early-")
            slow = name.startswith("slow-")
            path = os.path.join(sys.argv[1], os.path.basename(name.split("-")[-1]))
            if not os.path.isfile(path):
                return self.send_error(404)
            data = open(path, "rb").read()
            kinds = {"mp3": "audio/mpeg", "html": "text/html", "m3u": "audio/x-mpegurl"}
            self.send_response(200)
            self.send_header("Content-Type", kinds.get(path.split(".")[-1], "application/octet-stream"))
            self.send_header("Content-Length", str(len(data) * (2 if early else 1)))
            self.end_headers()
            if slow:
                for place in range(0, len(data), 2000):
                    self.wfile.write(data[place:place + 2000])
                    time.sleep(0.1)
            else:
                self.wfile.write(data)

        def send_station(self, name):
            data = open(os.path.join(sys.argv[1], os.path.basename(name)), "rb").read()
            self.send_response(200)
            for field in [("icy-name", "Loopback FM"), ("icy-genre", "Test"), ("Content-Type", "audio/mpeg")]:
                self.send_header(*field)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(data)
            except OSError:
                pass

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1])
    server.serve_forever()
    """
}
