// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import ClipPlayback
import Glibc
import JACKAudio
import MusicalTime

/// Records its own output through a sound server: `TestProbe jack FILE`.
///
/// It waits for a line, which the test writes once the ports are connected. Then it plays noise at a
/// frame of its output and writes its input to a file of 32-bit floats, which begins a thousand frames
/// before the noise by the input's own clock. At the end it prints the latency that both sides report.
enum JACKProbe {
  /// Frames in the file before the noise, and all of them.
  private static let (before, length) = (1_000, 24_000)

  static func run(_ words: [String]) throws {
    let client = try JACKClient(name: "probe")
    let output = JACKOutputUnit(on: client, channelCount: 1, to: .none)
    let input = try JACKInput(on: client, channelCount: 1, from: .none)
    let queue = SoundQueue(name: "noise", channelCount: 1, rate: client.rate)
    try queue.enqueue(SoundBuffer(interleaved: noise(), channelCount: 1))
    var graph = AudioGraph()
    try graph.setHead(graph.add(queue))
    try output.start(graph.compile())
    say("ready")
    _ = readLine()
    let frame = output.position.frames + Int64(client.rate.hertz) / 2
    try queue.start(at: .frame(SampleTime(frames: frame)))
    try record(input, beside: output, from: frame - Int64(before), to: words[0])
    say("output \(output.playbackLatency) input \(input.latency)")
    output.stop(draining: false)
    client.close()
  }

  /// Writes what is heard from a frame of an output on.
  private static func record(
    _ input: JACKInput, beside output: JACKOutputUnit, from frame: Int64, to path: String
  ) throws {
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path, encoding: .float32), channelCount: 1,
      rate: input.rate, options: SoundFileWriter.Options())
    let recorder = try SoundRecorder(writer, rate: input.rate, frameLimit: length)
    var heard: Int64 = 0
    try recorder.record {
      let samples = try input.read()
      defer { heard += Int64(samples.count) }
      guard let place = input.place(on: output) else { return [] }
      // What lies before the file's beginning is left out.
      let early = max(0, min(Int64(samples.count), frame - place.frames - heard))
      return Array(samples.dropFirst(Int(early)))
    }
  }

  /// A sample of half of full scale, and noise of 24 bits that no limiter minds.
  private static func noise() -> [Float] {
    var state: UInt32 = 1
    return [0.5]
      + (1..<4_800).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: state) >> 8) / 67_108_864
      }
  }

  private static func say(_ words: String) {
    print(words)
    fflush(nil)
  }
}
