// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that other programs accept Downbeat's sessions, each in a separate network namespace.
@Suite(.enabled(if: !NetworkNamespace.isOwn)) struct SessionWitnessTests {
  private static let folder = ToolRun.packageFolder
    .appendingPathComponent("Tests/RTPSessionsTests").path

  private static func has(_ programs: String...) -> Bool {
    programs.allSatisfy { program in
      ["/usr/bin/", "/usr/sbin/"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + program)
      }
    }
  }

  private func run(_ script: String, _ words: [String]) throws -> ToolRun {
    let all =
      NetworkNamespace.words + [PythonWitness.path, "\(Self.folder)/\(script)"]
      + [ToolRun.program("TestProbe")] + words
    return try ToolRun(Array(all.dropFirst()), command: all[0], limit: 400)
  }

  @Test(.enabled(if: PythonWitness.has("pymidi"), "no pymidi (make setup-test fetches it)"))
  func `pymidi takes a whole song, and nothing is missing`() throws {
    let run = try run("pymidi-server.py", ["5000", "20"])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }

  @Test(.enabled(if: has("tshark"), "no tshark (make setup-test fetches it)"))
  func `Wireshark reads every chapter of our journals, and finds nothing malformed`() throws {
    let run = try run("tshark-judge.py", ["10000"])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }

  @Test(
    .enabled(
      if: has("avahi-daemon", "dbus-daemon") && PythonWitness.has("zeroconf"),
      "no Avahi or no zeroconf (make setup-test fetches them)"))
  func `zeroconf finds our session by Avahi, and we find its`() throws {
    let run = try run("zeroconf-judge.py", [])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }
}
