// SPDX-License-Identifier: Apache-2.0
import LinearTimecode
import MusicalTime
import TestSupport

/// Sound of linear timecode, damaged as tapes and cables do and worse: whatever is read of it must
/// be a label that was written.
struct TapeTarget: FuzzTarget {
  private let scene: FuzzScene
  private let sound: [Float]
  private let labels: ClosedRange<Int64>
  private var (read, missing) = (0, 0)
  private static let frames = 12

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    labels = 107_890...(107_890 + Int64(Self.frames))
    var encoder = try LTCEncoder(
      from: Timecode(frame: labels.lowerBound, rate: .fps2997Drop), sampleRate: .hertz48000)
    var sound: [Float] = []
    encoder.append(Int(encoder.start(ofFrame: Int64(Self.frames)).frames) + 10, to: &sound)
    self.sound = sound
  }

  var tally: String { "\(read) frames read, \(missing) not" }

  mutating func attack(_ random: inout SplitMix) throws {
    var tape = sound
    for _ in 0..<Int.random(in: 1...8, using: &random) { damage(&tape, &random) }
    try scene.keep(tape.flatMap { unsafe withUnsafeBytes(of: $0) { unsafe Array($0) } })
    var decoder = LTCDecoder(
      sampleRate: .hertz48000, rate: Bool.random(using: &random) ? .fps2997Drop : nil)
    var readings: [LTCReading] = []
    decoder.read(tape.span, into: &readings)
    for reading in readings {
      let frame = try FrameRate.fps2997Drop.frame(of: reading.frame.label)
      try FuzzFault.unless(labels.contains(frame), "\(reading.frame) was never written")
      try FuzzFault.unless(
        reading.start < reading.end && reading.end.nearest.frames <= tape.count, "a place outside")
    }
    try FuzzFault.unless(readings.count <= tape.count / 80, "more frames than bits")
    read += readings.count
    missing += max(0, Self.frames - readings.count)
  }

  private func damage(_ tape: inout [Float], _ random: inout SplitMix) {
    let start = Int.random(in: 0..<tape.count, using: &random)
    let end = min(tape.count, start + Int.random(in: 1...4_000, using: &random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0: for place in start..<end { tape[place] = 0 }
    case 1: for place in start..<end { tape[place] = -tape[place] }
    case 2: for place in start..<end { tape[place] *= Float.random(in: -20...20, using: &random) }
    case 3: for place in start..<end { tape[place] += 0.2 }
    case 4: tape[start] = [.nan, .infinity, -1e38, 1].randomElement(using: &random) ?? 0
    case 5: tape[start..<end].reverse()
    case 6 where tape.count > 8_000: tape.removeSubrange(start..<end)
    case 7:
      tape.insert(contentsOf: tape[start..<end], at: Int.random(in: 0...start, using: &random))
    case 8: for place in start..<end { tape[place] = tape[(start + place) / 2] }
    default: for place in start..<end { tape[place] += .random(in: -0.2...0.2, using: &random) }
    }
  }
}
