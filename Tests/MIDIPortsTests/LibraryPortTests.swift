// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Ports as any program has them of the library, under a real ALSA kernel.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct LibraryPortTests {
  private static let probe = ToolRun.program("TestProbe")

  private static let script = """
    cd "$VM_OUT"
    says() { [ "$(grep -c "$1" probe.txt)" -ge "$2" ]; }
    heard() { grep -q "Note on.*note $2" "$1"; }
    \(probe) port aseqdump > probe.txt 2>&1 & probe=$!
    await says "none yet" 1
    aseqdump > first.txt & witness=$!
    await heard first.txt 60
    kill $witness; wait $witness; await says "disconnected" 1
    aseqdump > second.txt & witness=$!
    await heard second.txt 61
    kill -KILL $probe; wait $probe
    await grep -q "controller 120" second.txt; sleep 0.3
    kill $witness; wait $witness
    \(probe) port --listen > heard.txt 2>&1 & listener=$!
    await grep -q listening heard.txt
    $DOWNBEAT send -p listener on 62 9; wait $listener
    true
    """

  private static let machine = Result { try ALSAMachine(running: script, brought: [probe]) }

  private func lines(_ name: String) throws -> [String] {
    let machine = try Self.machine.get()
    let content = try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
    return String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `a port waits for its device, reconnects it, and reports it by name`() throws {
    let lines = try lines("probe.txt")
    #expect(lines.prefix(3) == ["none yet", "port 0 0", "port 1 1000000"])
    #expect(lines.count == 6)
    #expect(lines[3].hasSuffix("aseqdump': disconnected"))
    #expect(lines[4].hasSuffix("aseqdump': reconnected"))
    #expect(lines[5] == #"["port 0"]"#)
  }

  @Test func `events of a port are awaited until the task is cancelled`() throws {
    #expect(try lines("heard.txt") == ["listening", "144 62 9", "ended"])
  }

  @Test func `a program of any kind that is killed leaves nothing sounding`() throws {
    let lines = try lines("second.txt")
    #expect(lines.contains { $0.contains("Note on") && $0.contains("3, note 61") })
    #expect(lines.contains { $0.contains("Note off") && $0.contains("3, note 61") })
    #expect(lines.contains { $0.contains("Control change") && $0.contains("3, controller 69") })
  }
}
