// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `play` on a real ALSA device: the kernel's loopback card, recorded at its other end.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSAPlayTests {
  private static let period = 1024

  /// Twelve strokes on a wood block, half a second apart, in eight voices at most.
  private static let song = Data(
    SongBytes.notes(12, every: 480, channel: 9, key: 76))

  private static let play = """
    "$DOWNBEAT" play "$INPUTS/song.mid" --soundfont Soundfonts/Downbeat.sf2 --rate 48000 \
      --audio hw:Loopback,0,0 --period \(period) --periods 4 --no-reverb --no-chorus
    """

  @Test func `captured notes start where the song says, within one period`() throws {
    let machine = try ALSAMachine(
      running: """
        arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -d 14 "$VM_OUT/heard.wav" &
        sleep 1
        \(Self.play)
        status=$?
        wait
        exit $status
        """, inputs: ["song.mid": Self.song])
    #expect(machine.status == 0, "\(machine.errors)")
    let capture = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init))
    let onsets = capture.onsets()
    #expect(onsets.count == 12)
    let first = try #require(onsets.first)
    for (index, onset) in onsets.enumerated() {
      #expect(abs(onset - first - index * 24_000) <= Self.period)
    }
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func `a signal ends it within 200 ms, by that signal, with silence after`(
    signal: String, status: Int
  ) throws {
    let machine = try ALSAMachine(
      running: """
        set -m
        arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -d 6 "$VM_OUT/heard.wav" &
        sleep 1
        \(Self.play) & player=$!
        sleep 3
        before=$(date +%s%N); kill -\(signal) $player; wait $player; status=$?
        after=$(date +%s%N)
        echo $(( (after - before) / 1000000 ))
        wait
        exit $status
        """, inputs: ["song.mid": Self.song])
    #expect(Int(machine.status) == status, "\(machine.errors)")
    let took = try #require(Int(machine.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(took <= 200)
    let capture = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init))
    #expect(capture.peak > 0.01)
    let tail = capture.channels[0].suffix(capture.rate)
    #expect(tail.allSatisfy { abs($0) < 0.001 })
  }
}
