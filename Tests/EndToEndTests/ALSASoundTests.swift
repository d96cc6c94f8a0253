// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `sound` on a real ALSA device: the kernel's loopback card, recorded at its other end.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSASoundTests {
  private static let rate = 48_000
  private static let device =
    "--audio hw:Loopback,0,0 --sample-rate \(rate) --period 4096 --periods 4"

  /// A stereo file of 16 bits.
  private static func wave(_ frames: Int, _ value: (Int) -> Double) -> Data {
    func word(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file = Array("RIFF".utf8) + word(36 + 4 * frames, 4) + Array("WAVEfmt ".utf8)
    file += word(16, 4) + word(1, 2) + word(2, 2) + word(rate, 4) + word(4 * rate, 4)
    file += word(4, 2) + word(16, 2) + Array("data".utf8) + word(4 * frames, 4)
    for frame in 0..<frames {
      let sample = word(Int((32_767 * value(frame)).rounded()), 2)
      file += sample + sample
    }
    return Data(file)
  }

  /// A stroke of one frame, then silence to a quarter of a second.
  private static let click = wave(12_000) { $0 == 0 ? 0.8 : 0 }

  @Test func `three clips over a song lie apart as scheduled, to the sample`() throws {
    let song = Self.wave(31 * Self.rate) { 0.05 * sin(Double($0) * 0.05) }
    let machine = try ALSAMachine(
      running: """
        set -m
        arecord -q -D hw:Loopback,1,0 -f S16_LE -r \(Self.rate) -c 2 -d 10 "$VM_OUT/heard.wav" &
        recorder=$!
        sleep 1
        "$DOWNBEAT" sound play "$INPUTS"/{song,a,b,c}.wav --at 0s --at 48000smp --at 71234smp \
          --at 120001smp --json \(Self.device) &
        wait $recorder
        kill -INT %2; wait %2
        exit 0
        """,
      inputs: ["song.wav": song, "a.wav": Self.click, "b.wav": Self.click, "c.wav": Self.click])
    let capture = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init))
    let strokes = capture.channels[0].indices.filter { capture.channels[0][$0] > 0.5 }
    try #require(strokes.count == 3, "\(machine.output) \(machine.errors)")
    #expect(strokes[1] - strokes[0] == 71_234 - 48_000)
    #expect(strokes[2] - strokes[1] == 120_001 - 71_234)
    // The song goes on beneath.
    #expect(capture.channels[0][strokes[2] + 20_000..<strokes[2] + 21_000].contains { $0 > 0.04 })
    // Each clip was told of once, in order, and by its own last frame.
    let lines = machine.output.split(separator: "\n").filter { $0.contains("clipEnd") }
    #expect(lines.count == 3)
    for (line, end) in zip(lines, [60_000, 83_234, 132_001]) {
      #expect(line.contains(#""reason":"finished","frame":\#(end),"#))
    }
  }

  @Test(arguments: [true, false])
  func `a clip is heard to its end after a KILL where that was asked for`(isKept: Bool) throws {
    let seconds = 4
    let tone = Self.wave(seconds * Self.rate) { 0.5 * sin(Double($0) * 0.05) }
    let flag = isKept ? "--complete-if-process-dies" : "--together"
    let machine = try ALSAMachine(
      running: """
        set -m
        arecord -q -D hw:Loopback,1,0 -f S16_LE -r \(Self.rate) -c 2 -d 12 "$VM_OUT/heard.wav" &
        recorder=$!
        sleep 1
        "$DOWNBEAT" sound play "$INPUTS/tone.wav" \(flag) \(Self.device) & player=$!
        sleep 3
        kill -KILL $player; wait $player
        echo ended $?
        wait $recorder
        """, inputs: ["tone.wav": tone])
    #expect(machine.output.contains("ended 137"), "\(machine.output) \(machine.errors)")
    let capture = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init))
    let loud = capture.channels[0].indices.filter { abs(capture.channels[0][$0]) > 0.2 }
    let first = try #require(loud.first)
    let last = try #require(loud.last)
    if isKept {
      #expect(last - first > (seconds * Self.rate) * 99 / 100)
    } else {
      #expect(last - first < (seconds * Self.rate) * 9 / 10)
    }
    #expect(capture.channels[0].suffix(Self.rate).allSatisfy { abs($0) < 0.001 })
  }

  @Test func `a recording of the loopback is what was played, to the limit`() throws {
    let tone = Self.wave(6 * Self.rate) { 0.5 * sin(Double($0) * 0.05) }
    let machine = try ALSAMachine(
      running: """
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
}
