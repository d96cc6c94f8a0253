// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Passes connections on to a station, and keeps the sound of each in a file, by Python's sockets.
final class StationRelay {
  private let folder: ScratchFolder
  private let server: PythonServer

  var port: Int { server.port }

  /// Starts to pass on.
  ///
  /// - Parameters:
  ///   - folder: the folder of the files.
  ///   - station: the port of the station's server.
  /// - Throws: `PythonServer.Failure` if it does not start.
  init(_ folder: ScratchFolder, to station: UInt16) throws {
    self.folder = folder
    server = try PythonServer(Self.program, name: "relay.py", in: folder, ["\(station)"])
  }

  /// The bytes of each connection that gave sound, without the titles of ICY.
  func parts() throws -> [[UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return try names.filter { $0.hasPrefix("part-") }.sorted().map { name in
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
      return Self.sound(bytes, every: Int(name.split(separator: "-")[2]) ?? 0)
    }
  }

  /// Leaves out the block of titles behind each interval.
  private static func sound(_ bytes: [UInt8], every interval: Int) -> [UInt8] {
    guard interval > 0 else { return bytes }
    var sound: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      sound += rest.prefix(interval)
      rest = rest.dropFirst(interval)
      rest = rest.dropFirst(1 + 16 * Int(rest.first ?? 0))
    }
    return sound
  }

  private static let program = """
    import os, socket, sys, threading

    lock = threading.Lock()
    count = 0

    def serve(client):
        global count
        request = b""
        while b"\\r\\n\\r\\n" not in request:
            request += client.recv(4096) or b"\\r\\n\\r\\n"
        server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
        server.sendall(request)
        head = b""
        while b"\\r\\n\\r\\n" not in head:
            head += server.recv(1) or b"\\r\\n\\r\\n"
        client.sendall(head)
        lines = head.lower().split(b"\\r\\n")
        if b" 200 " in lines[0] + b" ":
            fields = [line.split(b":")[1] for line in lines if line.startswith(b"icy-metaint:")]
            with lock:
                name = "part-%d-%d" % (count, int((fields + [b"0"])[0]))
                count += 1
            with open(os.path.join(sys.argv[1], name), "wb", buffering=0) as file:
                try:
                    while bytes := server.recv(16384):
                        client.sendall(bytes)
                        file.write(bytes)
                except OSError:
                    pass
        client.close()
        server.close()

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(16)
    print(listener.getsockname()[1])
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """
}
