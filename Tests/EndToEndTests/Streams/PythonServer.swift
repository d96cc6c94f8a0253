// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport

/// A program in Python that prints a port on the loopback and serves there until the object is gone.
final class PythonServer {
  struct Failure: Error {
    let text: String
  }

  let port: Int
  private let process = Process()

  /// Starts a server, and waits for its port.
  ///
  /// - Parameters:
  ///   - program: the text of the program.
  ///   - name: the name of its file in the folder.
  ///   - folder: the folder of the file, and the program's first argument.
  ///   - words: its further arguments.
  /// - Throws: `Failure` if it does not print a port.
  init(_ program: String, name: String, in folder: ScratchFolder, _ words: [String]) throws {
    let path = try folder.write(name, Array(program.utf8))
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-u", path, folder.url.path] + words
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let bytes = pipe.fileHandleForReading.readData(ofLength: 1)
      guard !bytes.isEmpty else { throw Failure(text: "\(name) did not start") }
      line += String(decoding: bytes, as: UTF8.self)
    }
    guard let port = Int(line.dropLast()) else { throw Failure(text: line) }
    self.port = port
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}
