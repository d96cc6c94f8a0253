// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import AudioTestSupport
import ClipPlayback
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Random commands to a queue, or to a packet queue, and to a model of it must give the same
/// samples, events and positions.
@Suite struct SoundQueueModelTests {
  /// A queue and its model, which receive the same commands.
  private struct Pair {
    let queue: SoundQueue
    /// The packet queue that uses it; nil if it is filled with samples.
    let packets: PacketQueue?
    var model = QueueModel()
    var random: SplitMix
    let listener: PlanListener
    var nextNumber = 0
    /// The last buffer, for a seek.
    var last: [Float] = [0.5, 0.5]
    private let usesSpeed: Bool

    init(_ one: Case) throws {
      random = SplitMix(seed: one.seed)
      let encoder = try Self.encoder()
      packets =
        one.usesPackets
        ? try PacketQueue(
          SoundLayer(
            codec: .alac, hertz: 48_000, channelCount: 2, framesPerPacket: encoder.framesPerPacket),
          magicCookie: encoder.magicCookie) : nil
      queue = packets?.unit ?? SoundQueue(rate: Rate.studio)
      listener = try PlanListener(queue)
      usesSpeed = one.usesSpeed
    }

    /// A lossless encoder.
    private static func encoder() throws -> PacketEncoder {
      try PacketEncoder(
        SoundFileFormat(.m4a, .integer16), rate: Rate.studio, layout: .usual(channelCount: 2))
    }

    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func chance(_ percent: Int) -> Bool { pick(1...100) <= percent }

    mutating func command() throws {
      switch pick(1...100) {
      case ...36: try enqueueSomething()
      case ...51: try start()
      case ...58:
        try packets?.pause() ?? queue.pause()
        model.pause()
      case ...63: try flush()
      case ...70: try seek()
      case ...74:
        try packets?.stop() ?? queue.stop()
        model.stop(before: nextNumber)
      case ...77:
        try packets?.stop(draining: true) ?? queue.stop(draining: true)
        model.drain()
      case ...86: set(.gain, to: Float(pick(0...200)) / 100)
      case ...92: set(.pan, to: Float(pick(-100...100)) / 100)
      default: set(.speed, to: usesSpeed ? speed() : 1)
      }
    }

    mutating func speed() -> Float {
      [1, 1, 1, 0.5, 2, 4, 0.25, Float(pick(250...4000)) / 1000][pick(0...7)]
    }

    mutating func start() throws {
      let frame: Int64? = chance(30) ? model.now + Int64(pick(-50...500)) : nil
      let moment = frame.map { SoundQueue.Moment.frame(SampleTime(frames: $0)) }
      try packets?.start(at: moment) ?? queue.start(at: moment)
      model.start(at: frame)
    }

    mutating func flush() throws {
      try packets?.flush() ?? queue.flush()
      model.flush(before: nextNumber)
    }

    /// Seeks within the last buffer.
    mutating func seek() throws {
      try flush()
      try enqueue(last, start: nil, trimStart: pick(0...(last.count / 2 - 1)), trimEnd: 0)
    }

    mutating func enqueueSomething() throws {
      let count = pick(1...(chance(20) ? 8 : 400))
      last = (0..<2 * count).map { _ in Float(pick(-32_000...32_000)) / 32_768 }
      let start = chance(15) ? model.now + Int64(pick(-100...600)) : nil
      let trimStart = chance(30) ? pick(0...(count - 1)) : 0
      let trimEnd = chance(30) ? pick(0...(count - 1 - trimStart)) : 0
      try enqueue(last, start: start, trimStart: trimStart, trimEnd: trimEnd)
    }

    mutating func enqueue(
      _ samples: [Float], start: Int64?, trimStart: Int, trimEnd: Int
    ) throws {
      let changes = chance(15) ? [change(), change()] : []
      let moment = start.map { SoundQueue.Moment.frame(SampleTime(frames: $0)) }
      let number =
        try packets?.enqueue(
          encoded(samples), at: moment, trimStart: trimStart, trimEnd: trimEnd, changes: changes)
        ?? queue.enqueue(
          SoundBuffer(interleaved: samples), at: moment, trimStart: trimStart, trimEnd: trimEnd,
          changes: changes)
      #expect(number == nextNumber)
      nextNumber += 1
      let frames = trimStart..<samples.count / 2 - trimEnd
      let channels = (0..<2).map { channel in frames.map { samples[2 * $0 + channel] } }
      // If one setting is changed twice, the last change is used.
      var meant: [SoundQueue.Setting: SoundQueue.Change] = [:]
      for change in changes { meant[change.setting] = change }
      model.items.append(
        QueueModel.Item(
          number: number, channels: channels, start: start,
          changes: meant.values.map { ($0.setting, $0.value, Self.frames($0)) }))
    }

    /// The packets of the samples, encoded separately.
    private func encoded(_ samples: [Float]) throws -> [[UInt8]] {
      let encoder = try Self.encoder()
      return try (encoder.encode(samples.span) + encoder.finish()).map(\.bytes)
    }

    private mutating func change() -> SoundQueue.Change {
      let setting = SoundQueue.Setting.allCases[pick(0...(usesSpeed ? 2 : 1))]
      let value: Float =
        switch setting {
        case .gain: Float(pick(0...200)) / 100
        case .pan: Float(pick(-100...100)) / 100
        case .speed: speed()
        }
      return SoundQueue.Change(setting, to: value, over: seconds())
    }

    private mutating func seconds() -> Double? {
      chance(30) ? nil : Double(pick(0...300)) / 48_000
    }

    private static func frames(_ change: SoundQueue.Change) -> Int {
      change.seconds.map { Int(($0 * 48_000).rounded()) } ?? (change.setting == .speed ? 960 : 240)
    }

    mutating func set(_ setting: SoundQueue.Setting, to value: Float) {
      let change = SoundQueue.Change(setting, to: value, over: seconds())
      queue.set(setting, to: value, over: change.seconds)
      model.settings[setting.rawValue].go(to: value, in: Self.frames(change))
    }

    /// Renders both, and returns the largest difference of an interpolated frame; all others must
    /// be equal.
    mutating func render(quanta: Int) -> Float {
      let heard = listener.render(quanta: quanta)
      var most: Float = 0
      for frame in 0..<quanta * 64 {
        let expected = model.next()
        let (left, right) = (heard[0][frame], heard[1][frame])
        if model.isBetween {
          most = max(most, abs(left - expected.left), abs(right - expected.right))
        } else if left != expected.left || right != expected.right {
          Issue.record("frame \(model.now - 1): \(left), \(right) for \(expected)")
          return .infinity
        }
      }
      return most
    }
  }

  private struct Case: CustomTestStringConvertible {
    let seed: UInt64
    let commands: Int
    let usesSpeed: Bool
    var usesPackets = false
    var testDescription: String {
      "seed \(seed), \(commands) commands, speed: \(usesSpeed), packets: \(usesPackets)"
    }
  }

  /// 10,000 commands, and as many for packets; in the long form ten times as many, all with speeds.
  private static var cases: [Case] {
    let forms = FFmpegWitness.isInstalled ? [false, true] : [false]
    return forms.flatMap { usesPackets in
      guard unsafe getenv("DOWNBEAT_LONG") == nil else {
        return (1...20).map {
          Case(seed: $0, commands: 5000, usesSpeed: true, usesPackets: usesPackets)
        }
      }
      return (1...4).map {
        Case(seed: $0, commands: 2250, usesSpeed: false, usesPackets: usesPackets)
      } + [Case(seed: 5, commands: 1000, usesSpeed: true, usesPackets: usesPackets)]
    }
  }

  @Test(arguments: cases)
  private func `random commands give the samples, events and positions of the model`(
    _ one: Case
  ) throws {
    var pair = try Pair(one)
    let told = ToldEvents(pair.queue)
    let toldOfPackets = pair.packets.map { ToldEvents($0) }
    var most: Float = 0
    for step in 0..<one.commands {
      try pair.command()
      most = max(most, pair.render(quanta: pair.pick(0...2)))
      pair.queue.deliver()
      let position = pair.queue.position
      try #require(most < 1e-3, "command \(step)")
      #expect(position.played.frames == Int64(pair.model.played), "command \(step)")
      try #require(position.discontinuities == pair.model.discontinuities, "command \(step)")
      try #require(pair.queue.isRunning == pair.model.isRunning, "command \(step)")
    }
    #expect(most < 1e-4, "\(most)")
    #expect(pair.model.events.count > one.commands / 2)
    #expect(pair.queue.lostEventCount == 0)
    let events = toldOfPackets?.all ?? told.all
    #expect(events.count == pair.model.events.count)
    let wrong = zip(events, pair.model.events).first { $0 != $1 }
    #expect(wrong == nil, "\(String(describing: wrong))")
  }
}
