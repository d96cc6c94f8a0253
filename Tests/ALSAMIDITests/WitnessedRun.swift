// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A script in the machine and the output of its witnesses; it runs when it is first used.
struct WitnessedRun: Sendable {
  private let machine: Result<ALSAMachine, any Error>

  /// Runs a script with `$CAPTURE`, the witness that prints the arrival of each event.
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

  /// Returns true if the script left a file.
  func hasLeft(_ name: String) throws -> Bool {
    try machine.get().files[name] != nil
  }

  /// Returns the lines of a file, with repeated spaces reduced to one.
  func lines(_ name: String) throws -> [String] {
    String(decoding: try content(name), as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
  }

  /// Returns the exit status of a command, as its script noted it.
  func status(_ name: String) throws -> Int? {
    try lines("status.txt").last { $0.hasPrefix("\(name) ") }
      .flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// Returns the events of one kind that a witness printed, without the number of the port.
  func seen(_ name: String, _ kind: String) throws -> [String] {
    try lines(name).compactMap { line in
      line.range(of: kind).map { String(line[$0.lowerBound...]) }
    }
  }

  /// Returns the output of `monitor --json`.
  func events(_ name: String) throws -> [[String: Any]] {
    try lines(name).map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}
