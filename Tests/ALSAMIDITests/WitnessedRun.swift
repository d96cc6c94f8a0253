// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A script in the machine and what its witnesses wrote; it is run where it is first asked for.
struct WitnessedRun: Sendable {
  private let machine: Result<ALSAMachine, any Error>

  /// Runs a script with `$CAPTURE`, the witness that prints when each event came.
  init(of script: String, _ inputs: @autoclosure () throws -> [String: Data]) {
    machine = Result {
      try ALSAMachine(
        running: "export CAPTURE=\(ALSAMachine.capture)\n" + script, timeout: 480,
        inputs: try inputs())
    }
  }

  func content(_ name: String) throws -> Data {
    let machine = try machine.get()
    return try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
  }

  /// Whether a file was left behind.
  func hasLeft(_ name: String) throws -> Bool {
    try machine.get().files[name] != nil
  }

  /// A file's lines, with one space where there are several.
  func lines(_ name: String) throws -> [String] {
    String(decoding: try content(name), as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
  }

  /// How a command ended, as its script noted it.
  func status(_ name: String) throws -> Int? {
    try lines("status.txt").last { $0.hasPrefix("\(name) ") }
      .flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// What a witness saw of one kind, without its port's number.
  func seen(_ name: String, _ kind: String) throws -> [String] {
    try lines(name).compactMap { line in
      line.range(of: kind).map { String(line[$0.lowerBound...]) }
    }
  }

  /// What `monitor --json` saw.
  func events(_ name: String) throws -> [[String: Any]] {
    try lines(name).map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}
