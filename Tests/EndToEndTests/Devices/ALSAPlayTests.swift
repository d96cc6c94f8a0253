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

  /// Starts and ends recording at the loopback's other end, with room for a slow machine.
  private static let recorder = """
    set -m
    record() {
      arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -B 8000000 "$VM_OUT/$1.wav" & recorder=$!
      await grep -q RUNNING /proc/asound/Loopback/pcm1c/sub0/status
    }
    pointer() { sed -n "s/^$1 *: //p" /proc/asound/Loopback/pcm1c/sub0/status; }
    caught_up() { [ "$(pointer appl_ptr)" -ge "$due" ]; }
    # What the kernel has and the recorder has not read yet would be lost.
    finish() { sleep 2; due=$(pointer hw_ptr); await caught_up; kill -INT $recorder; wait $recorder; }

    """

  /// Where the host stalls the emulator the device runs dry: the best of three boots counts, and
  /// every note is heard in each.
  @Test func `captured notes start where the song says, within one period`() throws {
    var farthest: [Int] = []
    repeat {
      farthest.append(try Self.farthestOnset())
    } while farthest.last ?? 0 > Self.period && farthest.count < 3
    #expect(farthest.contains { $0 <= Self.period }, "\(farthest)")
  }

  /// How many frames a captured note lies from its place, at most.
  private static func farthestOnset() throws -> Int {
    let machine = try ALSAMachine(
      running: recorder + """
        record heard
        \(play)
        status=$?
        finish
        exit $status
        """, inputs: ["song.mid": song])
    #expect(machine.status == 0, "\(machine.errors)")
    let capture = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init))
    let onsets = capture.onsets()
    #expect(onsets.count == 12)
    let first = try #require(onsets.first)
    return onsets.indices.map { abs(onsets[$0] - first - $0 * 24_000) }.max() ?? 0
  }

  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil

  /// A minute of strokes, half a second apart.
  private static let minute = Data(SongBytes.notes(120, every: 480, channel: 9, key: 76))

  /// The best of three boots counts, as above; a stroke that is missing is a gap in any of them.
  @Test(.enabled(if: isLong))
  func `a minute's captured notes have no gap between them and no drift`() throws {
    for attempt in 1...3 {
      let machine = try ALSAMachine(
        running: Self.recorder + """
          record heard
          \(Self.play) --meters 2> "$VM_OUT/told.txt"
          status=$?
          finish
          exit $status
          """, timeout: 400, inputs: ["song.mid": Self.minute])
      #expect(machine.status == 0, "\(machine.errors)")
      let told = String(decoding: try #require(machine.files["told.txt"]), as: UTF8.self)
      let capture = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init))
      let onsets = capture.onsets()
      #expect(onsets.count == 120)
      let errors = onsets.indices.map { onsets[$0] - onsets[0] - $0 * 24_000 }
      let worst = errors.map(abs).max() ?? .max
      // The middle one of twelve: a note or two may be half a quantum from their places.
      let drift = errors.suffix(12).sorted()[6] - errors.prefix(12).sorted()[6]
      let clock = told.matches(of: /device ([+-]?[0-9.]+) ppm/).last.flatMap { Double($0.1) }
      print("a minute: \(worst) frames off, \(drift) frames of drift, clock \(clock ?? .nan) ppm")
      // A gap would put every later note off.
      if worst <= 64, abs(drift) <= 2, abs(clock ?? 0) < 100 { return }
      #expect(attempt < 3, "\(errors), \(told)")
    }
  }

  private static let signals =
    recorder + """
      end() { # SIGNAL PROCESS: the status it ends with, and the milliseconds that takes
        local before=$(date +%s%N)
        kill -$1 $2; wait $2; local status=$?
        echo $1 $status $(( ($(date +%s%N) - before) / 1000000 ))
      }
      sleep 100 & end KILL $!
      for signal in INT TERM HUP; do
        record $signal
        \(play) & player=$!
        await grep -q RUNNING /proc/asound/Loopback/pcm0p/sub0/status
        sleep 2
        end $signal $player
        finish
      done
      """

  /// The emulator's own pauses are in the times: the best of three boots counts, all else holds in
  /// each.
  @Test func `a signal ends it within 200 ms, by that signal, with silence after`() throws {
    var longest: [Int] = []
    repeat {
      longest.append(try Self.longestEnd())
    } while longest.last ?? 0 > 200 && longest.count < 3
    #expect(longest.contains { $0 <= 200 }, "\(longest)")
  }

  /// Plays, ends by each signal and listens.
  ///
  /// - Returns: the longest end in milliseconds, less what ending `sleep` takes here.
  private static func longestEnd() throws -> Int {
    let machine = try ALSAMachine(running: signals, inputs: ["song.mid": song])
    let ends = machine.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(
      ends.dropFirst().map { $0.prefix(2) } == [["INT", "130"], ["TERM", "143"], ["HUP", "129"]])
    let times = ends.compactMap { $0.last.flatMap { Int($0) } }
    for end in ends.dropFirst() {
      let capture = try #require(machine.files["\(end[0]).wav"].flatMap(WaveAudio.init))
      #expect(capture.peak > 0.01)
      #expect(capture.channels[0].suffix(capture.rate).allSatisfy { abs($0) < 0.001 })
    }
    let overhead = try #require(times.first)
    return try #require(times.dropFirst().max()) - overhead
  }
}
