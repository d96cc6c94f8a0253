// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// When notes arrive, beside aplaymidi in one run of the machine.
extension SequencerTests {
  private static let count = 1000
  /// 147 ticks of 50 µs: off the millisecond grid.
  private static let spacing = 7_350_000.0

  private static let jitterScript = """
    cd "$VM_OUT"
    for run in 1 2; do
      for player in aplaymidi downbeat; do
        "$CAPTURE" \(count) 3 > $player$run.txt & capture=$!
        sleep 0.5
        case $player in
          aplaymidi) aplaymidi -p capture -d 0 "$INPUTS/notes.mid" ;;
          downbeat) $DOWNBEAT send -p capture file "$INPUTS/notes.txt" ;;
        esac
        wait $capture
      done
    done
    """

  @Test func `notes lie within a third of aplaymidi's jitter`() throws {
    let capture = URL(fileURLWithPath: ToolRun.debugCommand)
      .deletingLastPathComponent().appendingPathComponent("StampCapture").path
    let words = (0..<Self.count).map { "on \(60 + $0 % 68) 100 wait 7350us\n" }.joined()
    let machine = try ALSAMachine(
      running: "export CAPTURE=\(capture)\n" + Self.jitterScript, timeout: 240,
      inputs: [
        "notes.mid": NoteFile.bytes(count: Self.count, ticksApart: 147, division: 10000),
        "notes.txt": Data(words.utf8),
      ])
    func jitter(_ name: String) throws -> Jitter {
      let capture = try #require(machine.files[name], "\(machine.errors)")
      return Jitter(capture: String(decoding: capture, as: UTF8.self), spacing: Self.spacing)
    }
    // The better of two runs: the host's own load is no part of what is measured.
    let ours = try ["downbeat1.txt", "downbeat2.txt"].map(jitter).min { $0.rms < $1.rms }
    let theirs = try ["aplaymidi1.txt", "aplaymidi2.txt"].map(jitter).min { $0.rms < $1.rms }
    let (down, other) = (try #require(ours), try #require(theirs))
    print("arrival jitter: downbeat \(down); aplaymidi \(other)")
    #expect(down.count == Self.count)
    #expect(down.rms <= 0.08)
    #expect(down.p99 <= 0.3)
    #expect(down.rms <= other.rms / 3)
  }
}
