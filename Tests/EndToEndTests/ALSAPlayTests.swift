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

  @Test func `a signal ends it within 200 ms, by that signal, with silence after`() throws {
    let machine = try ALSAMachine(
      running: """
        set -m
        end() { # SIGNAL PROCESS: the status it ends with, and the milliseconds that takes
          local before=$(date +%s%N)
          kill -$1 $2; wait $2; local status=$?
          echo $1 $status $(( ($(date +%s%N) - before) / 1000000 ))
        }
        sleep 100 & end KILL $!
        for signal in INT TERM HUP; do
          arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -d 7 "$VM_OUT/$signal.wav" &
          sleep 1
          \(Self.play) & player=$!
          sleep 4
          end $signal $player
          wait
        done
        """, inputs: ["song.mid": Self.song])
    var ends = machine.output.split(separator: "\n").map { $0.split(separator: " ") }
    // What ending any process takes here, `sleep` for one, is emulation's and not ours.
    let overhead = try #require(ends.first?.last.flatMap { Int($0) })
    ends.removeFirst()
    #expect(ends.map { $0.prefix(2) } == [["INT", "130"], ["TERM", "143"], ["HUP", "129"]])
    for end in ends {
      let took = try #require(end.last.flatMap { Int($0) })
      #expect(took - overhead <= 200, "\(machine.output)")
      let capture = try #require(machine.files["\(end[0]).wav"].flatMap(WaveAudio.init))
      #expect(capture.peak > 0.01)
      #expect(capture.channels[0].suffix(capture.rate).allSatisfy { abs($0) < 0.001 })
    }
  }
}
