// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The arrival times of notes, compared with aplaymidi in one run of the machine.
extension SequencerTests {
  private static let count = 1000
  /// 147 ticks of 50 µs: off the millisecond grid.
  private static let spacing = 7_350_000.0

  private static let jitterScript = """
    cd "$VM_OUT"
    for player in aplaymidi send play; do
      "$CAPTURE" \(count) 20 > $player.txt & capture=$!
      await eval "aconnect -l | grep -q \"'capture'\""
      case $player in
        aplaymidi) aplaymidi -p capture -d 0 "$INPUTS/notes.mid" ;;
        send) $DOWNBEAT send -p capture file "$INPUTS/notes.txt" ;;
        play) $DOWNBEAT play "$INPUTS/notes.mid" -p capture 2>&1 ;;
      esac
      wait $capture
    done
    """

  /// The load of the host must not affect the result: the best of up to three boots counts.
  private static let attempts = 3

  @Test func `the jitter of notes is within a third of aplaymidi's`() throws {
    for attempt in 1...Self.attempts {
      let runs = try measure()
      let theirs = try #require(runs["aplaymidi"])
      let ours = runs.filter { $0.key != "aplaymidi" }
      print("arrival jitter: \(runs)")
      try #require(ours.values.allSatisfy { $0.count == Self.count })
      let isMet = ours.values.allSatisfy {
        $0.rms <= 0.08 && $0.p99 <= 0.3 && $0.rms <= theirs.rms / 3
      }
      if isMet { return }
      #expect(attempt < Self.attempts, "\(runs)")
    }
  }

  /// One run of each player in one boot.
  ///
  /// Every note of the song is released: unfinished notes of a file end at its last instant, and
  /// hundreds of note-offs there would delay other events.
  private func measure() throws -> [String: Jitter] {
    let words = (0..<Self.count).map { "on \(60 + $0 % 68) 100 wait 7350us\n" }.joined()
    let machine = try ALSAMachine(
      running: "export CAPTURE=\(ALSAMachine.capture)\n" + Self.jitterScript, timeout: 240,
      inputs: [
        "notes.mid": NoteFile.bytes(
          count: Self.count, ticksApart: 147, division: 10000, holding: 70),
        "notes.txt": Data(words.utf8),
      ])
    return try Dictionary(
      uniqueKeysWithValues: ["aplaymidi", "send", "play"].map { player in
        let capture = try #require(machine.files[player + ".txt"], "\(machine.errors)")
        let text = String(decoding: capture, as: UTF8.self)
        return (player, Jitter(capture: text, spacing: Self.spacing))
      })
  }

  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  private static let driftCount = 6000

  @Test(.enabled(if: isLong, "DOWNBEAT_LONG is not set"))
  func `in ten minutes play drifts by at most five parts in a million`() throws {
    let machine = try ALSAMachine(
      running: """
        "\(ALSAMachine.capture)" \(Self.driftCount) 20 > "$VM_OUT/drift.txt" & capture=$!
        await eval "aconnect -l | grep -q \"'capture'\""
        $DOWNBEAT play "$INPUTS/long.mid" -p capture
        wait $capture
        """, timeout: 900,
      inputs: [
        // 96 of 480 ticks: a tenth of a second.
        "long.mid": NoteFile.bytes(
          count: Self.driftCount, ticksApart: 96, division: 480, holding: 48)
      ])
    let capture = try #require(machine.files["drift.txt"], "\(machine.errors)")
    let text = String(decoding: capture, as: UTF8.self)
    let jitter = Jitter(capture: text, spacing: 100_000_000)
    print("drift: \(jitter.drift) ppm; \(jitter)")
    #expect(jitter.count == Self.driftCount)
    #expect(abs(jitter.drift) <= 5)
  }
}
