// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A `SoundQueue` on a real ALSA device: the kernel's loopback card, recorded at its other end.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSAQueueTests {
  private static let probe = ToolRun.program("TestProbe")

  private static let script = """
    cd "$VM_OUT"
    runs() { grep -q RUNNING /proc/asound/Loopback/pcm1c/sub0/status; }
    larger() { (($(stat -c %s "$1") > $2)); }
    # From the other end of the cable, with room for 4 s in which nothing is read.
    arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -B 4000000 heard.wav & recorder=$!
    await runs
    \(probe) queue hw:Loopback,0,0 8192 16
    await larger heard.wav $(($(stat -c %s heard.wav) + 5 * 4 * 48000))
    kill -INT $recorder; wait $recorder
    """

  @Test func `scheduled starts are exact to the frame, by the output's count and by the host's`()
    throws
  {
    var machine = try ALSAMachine(running: Self.script, brought: [Self.probe])
    // An emulator that starves an end of the cable moves what is behind.
    for _ in 1..<3 where !machine.output.contains("xruns 0") || machine.errors.contains("overrun") {
      machine = try ALSAMachine(running: Self.script, brought: [Self.probe])
    }
    let words = "\(machine.output) \(machine.errors)"
    let capture = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init), "\(words)")
    let heard = capture.channels[0]
    let strokes = heard.indices.filter { heard[$0] > 0.4 }
    let first = try #require(strokes.first, "\(words)")
    #expect(strokes.map { $0 - first } == [0, 33_333, 69_919, 119_072, 150_001], "\(words)")
    #expect(heard == capture.channels[1])
    for frame in [33_333, 69_919, 119_072, 150_001] {
      #expect(machine.output.contains("stroke \(frame) late 0"), "\(words)")
    }
  }
}
