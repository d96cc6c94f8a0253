// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `sound` on a real ALSA device: the kernel's loopback card, recorded at its other end.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSASoundTests {
  private static let rate = 48_000
  private static let device = "--audio hw:Loopback,0,0 --period 4096 --periods 8"

  /// Records the other end of the cable for some seconds, and begins a second before the rest.
  private static func recorded(_ seconds: Int, _ script: String) -> String {
    """
    set -m
    until_heard() { # a sound is on its way to the other end
      until grep -q RUNNING /proc/asound/Loopback/pcm0p/sub0/status; do sleep 0.1; done
    }
    # What is read now does not have to be while the sound runs; a long buffer outlasts the emulator.
    cat "$DOWNBEAT" "$INPUTS"/* > /dev/null
    arecord -q -D hw:Loopback,1,0 -f S16_LE -r \(rate) -c 2 -B 8000000 -d \(seconds) "$VM_OUT/heard.wav" &
    recorder=$!
    sleep 1
    \(script)
    """
  }

  private static func heard(_ machine: ALSAMachine) throws -> [Float] {
    let capture = machine.files["heard.wav"].flatMap(WaveAudio.init)
    return try #require(capture, "\(machine.output) \(machine.errors)").channels[0]
  }

  @Test func `three clips over a song lie apart as scheduled, to the sample`() throws {
    // More than 30 s: streamed from the disk, where the clips are in memory.
    let song = Data(
      WaveBytes.file(frames: 31 * Self.rate) { frame, _ in
        0.05 * sin(Double(frame) * 0.05)
      })
    let click = Data(WaveBytes.click(frames: 12_000))
    let machine = try ALSAMachine(
      running: Self.recorded(
        25,
        """
        "$DOWNBEAT" sound play "$INPUTS"/{song,a,b,c}.wav --at 0s --at 48000smp --at 71234smp \
          --at 120001smp --json \(Self.device) & player=$!
        wait $recorder
        kill -INT $player; wait $player
        echo ended $?
        """),
      inputs: ["song.wav": song, "a.wav": click, "b.wav": click, "c.wav": click])
    let heard = try Self.heard(machine)
    let strokes = heard.indices.filter { heard[$0] > 0.5 }
    try #require(strokes.count == 3, "\(machine.output) \(machine.errors)")
    #expect(strokes[1] - strokes[0] == 71_234 - 48_000)
    #expect(strokes[2] - strokes[1] == 120_001 - 71_234)
    // The song goes on beneath.
    #expect(heard[strokes[2] + 20_000..<strokes[2] + 21_000].contains { $0 > 0.04 })
    #expect(machine.output.contains("ended 130"))
    // Each clip was told of once, in order, by its own last frame.
    let lines = machine.output.split(separator: "\n").filter { $0.contains("clipEnd") }
    try #require(lines.count == 3, "\(machine.output)")
    for (line, end) in zip(lines, [60_000, 83_234, 132_001]) {
      #expect(line.contains(#""reason":"finished","frame":\#(end),"#))
    }
  }

  @Test(arguments: [true, false])
  func `a clip is heard to its end after a KILL where that was asked for`(isKept: Bool) throws {
    let seconds = 4
    let tone = Data(
      WaveBytes.file(frames: seconds * Self.rate) { frame, _ in
        0.5 * sin(Double(frame) * 0.05)
      })
    let flag = isKept ? "--complete-if-process-dies" : "--together"
    let machine = try ALSAMachine(
      running: Self.recorded(
        20,
        """
        "$DOWNBEAT" sound play "$INPUTS/tone.wav" \(flag) \(Self.device) & player=$!
        until_heard; sleep 1
        kill -KILL $player; wait $player
        echo ended $?
        wait $recorder
        """), inputs: ["tone.wav": tone])
    #expect(machine.output.contains("ended 137"), "\(machine.output) \(machine.errors)")
    let heard = try Self.heard(machine)
    let loud = heard.indices.filter { abs(heard[$0]) > 0.2 }
    let first = try #require(loud.first)
    let last = try #require(loud.last)
    if isKept {
      #expect(last - first > (seconds * Self.rate) * 99 / 100)
    } else {
      #expect(last - first < (seconds * Self.rate) * 9 / 10)
    }
    #expect(heard.suffix(Self.rate / 2).allSatisfy { abs($0) < 0.001 })
  }

  @Test func `a recording of the loopback is what was played, to the limit`() throws {
    let tone = Data(
      WaveBytes.file(frames: 5 * Self.rate) { frame, _ in 0.5 * sin(Double(frame) * 0.05) })
    let machine = try ALSAMachine(
      running: """
        set -m
        "$DOWNBEAT" sound record -o "$VM_OUT/take.wav" --audio hw:Loopback,1,0 --length 4s &
        sleep 1
        "$DOWNBEAT" sound play "$INPUTS/tone.wav" \(Self.device)
        wait
        """, inputs: ["tone.wav": tone])
    let take = try #require(
      machine.files["take.wav"].flatMap(WaveAudio.init), "\(machine.errors)")
    #expect(take.channels.map(\.count) == [4 * Self.rate, 4 * Self.rate])
    #expect(abs(take.peak - 0.5) < 0.001)
  }

  @Test func `notes of a song start clips on the device, to the sample`() throws {
    let song = Data(SongBytes.notes(4, every: 480, channel: 9, key: 36))
    let kit = Data(#"{"pads":[{"key":36,"file":"click.wav"}]}"#.utf8)
    let machine = try ALSAMachine(
      running: Self.recorded(
        25,
        """
        "$DOWNBEAT" play "$INPUTS/song.mid" --clips "$INPUTS/kit.json" --no-reverb --no-chorus \
          --soundfont Soundfonts/Downbeat.sf2 --gain 1 \(Self.device)
        echo ended $?
        wait $recorder
        """),
      inputs: ["song.mid": song, "kit.json": kit, "click.wav": Data(WaveBytes.click(frames: 9600))])
    #expect(machine.output.contains("ended 0"), "\(machine.output) \(machine.errors)")
    let heard = try Self.heard(machine)
    let strokes = heard.indices.filter { heard[$0] > 0.3 }
    try #require(strokes.count == 4)
    #expect(strokes.map { $0 - strokes[0] } == [0, 24_000, 48_000, 72_000])
  }
}
