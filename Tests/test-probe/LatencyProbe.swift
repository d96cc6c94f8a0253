// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import AudioProcessing
import Glibc
import MusicalTime

/// Records its own output through a cable between two devices:
/// `TestProbe latency OUTPUT INPUT RATE PERIOD PERIODS SECONDS`.
///
/// It plays clicks and noise on one device, records the other, and finds the place of each recorded
/// buffer in the played sound by the clocks of the two devices. For each it prints that place, the
/// error in frames, and the frame of the input: `sound FRAME off FRAMES part FRAMES input FRAME`; or
/// `silent`, or `broken` if the buffer has a gap.
enum LatencyProbe {
  static func run(_ words: [String]) async throws {
    guard words.count == 6, let rate = Int(words[2]).flatMap({ SampleRate(hertz: $0) }),
      let period = Int(words[3]), let periods = Int(words[4]), let seconds = Int(words[5])
    else { exit(64) }
    let song = Song(frameCount: seconds * Int(rate.hertz))
    let played = SoundBuffer(interleaved: song.samples.flatMap { [$0, $0] })
    var heard = ALSAInput.Wishes()
    heard.device = words[1]
    heard.periodFrames = period
    heard.periodCount = max(8, 16_384 / period)
    let input = try ALSAInput(rate: rate, wishes: heard)
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = words[0]
    wishes.periodFrames = period
    wishes.periodCount = periods
    let output = try ALSAOutputUnit(rate: rate, wishes: wishes)
    let queue = SoundQueue(rate: rate)
    var graph = AudioGraph()
    try graph.setHead(graph.add(queue))
    try queue.enqueue(played, at: .frame(0))
    try queue.start(at: .frame(0))
    let capture = CaptureQueue(bufferFrames: Int(rate.hertz) / 10, bufferCount: 64, rate: rate)
    let events = capture.events
    try capture.start()
    try capture.read(input)
    try output.start(try graph.compile(), at: .zero)
    print("period \(output.periodFrames) buffer \(output.bufferFrames)")
    let reference = ReferenceClock(rate: rate, latency: output.latency)
    var end = 0
    for await event in events {
      reference.look(output.clock, at: output.position)
      guard case .sound(let sound) = event, let host = sound.host, reference.base != nil else {
        continue
      }
      let time = reference.time(at: host)
      let frame = Int(rate.nearestFrame(to: time).frames)
      let left = sound.samples.indices.filter { $0.isMultiple(of: 2) }.map { sound.samples[$0] }
      let words: String
      if left.allSatisfy({ $0 == 0 }) {
        words = "silent"
      } else if let place = song.place(of: left, near: frame) {
        let line = Double(time.nanoseconds) * Double(rate.hertz) / 1e9
        let part = (line - Double(place)) * 1000
        words = "off \(frame - place) part \(part.rounded() / 1000) input \(sound.start.frames)"
      } else {
        words = "broken"
      }
      print("sound \(frame) \(words)")
      fflush(nil)
      end = max(end, frame)
      guard end < song.samples.count else { break }
    }
    print("xruns \(output.xrunCount) gaps \(capture.gapCount)")
    output.stop(draining: false)
  }
}

/// Noise in steps of 16 bits, which every format keeps, with a click each tenth of a second or so.
private struct Song {
  let samples: [Float]

  init(frameCount: Int) {
    var state: UInt32 = 1
    samples = (0..<frameCount).map { frame in
      state = state &* 1_664_525 &+ 1_013_904_223
      return frame.isMultiple(of: 4807) ? 0.5 : (Float(state >> 20) - 2047) / 32_768
    }
  }

  /// Where the samples are in the song: near a frame, or anywhere within a quarter of a second.
  func place(of part: [Float], near frame: Int) -> Int? {
    (0...12_000).lazy.flatMap { [frame - $0, frame + $0] }.first { start in
      part.indices.allSatisfy { part[$0] == sample(start + $0) }
    }
  }

  private func sample(_ frame: Int) -> Float {
    samples.indices.contains(frame) ? samples[frame] : 0
  }
}
